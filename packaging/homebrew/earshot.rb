# A Homebrew formula. Not verified, because Homebrew does not run where Earshot is developed. See docs/RELEASING.md before you use it.
class Earshot < Formula
  desc "Podcast player for the terminal"
  homepage "@homepage@"
  url "@downloads@/earshot-@version@-vendored.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "chafa"
  depends_on "curl"
  depends_on "ffmpeg"
  depends_on "libxml2"
  depends_on macos: :sequoia
  depends_on "mpv"
  depends_on "ncurses"
  depends_on "zstd"

  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # SwiftPM's own sandbox does not work inside Homebrew's, hence --disable-sandbox.
    ncurses = Formula["ncurses"].opt_prefix
    ENV["EARSHOT_COMMIT"] = Utils.safe_popen_read("scripts/version", "commit").chomp
    ENV["EARSHOT_DATE"] = Utils.safe_popen_read("scripts/version", "date").chomp
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "earshot",
           "-Xcc", "-I#{ncurses}/include", "-Xlinker", "-L#{ncurses}/lib"
    system "scripts/install-files", ".build/release/earshot", prefix
  end

  service do
    run [opt_bin/"earshot", "refresh", "--due", "--quiet"]
    run_type :interval
    interval 900
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/earshot --version")
    (testpath/"feed.xml").write "<rss><channel><title>Trains</title></channel></rss>"
    assert_match "Trains", shell_output("#{bin}/earshot feed #{testpath}/feed.xml --json")
  end
end
