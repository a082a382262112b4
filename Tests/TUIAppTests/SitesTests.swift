import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Testing

@testable import Directories
@testable import Services
@testable import TUIApp

/// Videos of sites, with a fake of yt-dlp: what it is asked, and what its answers do.
@Suite(InTurn()) struct SitesTests: ProgramTesting {
  let home: TemporaryHome
  private let server: LoopbackServer

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    home = try TemporaryHome()
    server = try LoopbackServer()
    for name in ["/channel", "/v/1", "/v/2"] { server.route(name, .text("<html>a page</html>", type: "text/html")) }
  }

  // MARK: The fake

  /// Installs a script as yt-dlp. It writes its arguments to the file `calls`, a line for each run.
  @discardableResult
  private func install(_ script: String, settings: String = "") throws -> String {
    let file = try home.file(
      "yt-dlp",
      Array("#!/bin/sh\nprintf '%s ' \"$@\" >> \(home.path)/calls; echo >> \(home.path)/calls\n\(script)\n".utf8))
    chmod(file, 0o700)
    try home.configure("refresh_on_start = false\n[sites]\nyt_dlp = \"\(file)\"\n\(settings)")
    return file
  }

  private var calls: [String] {
    let text = (try? String(contentsOfFile: home.path + "/calls", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// A site with two videos. Each run for a file names the next of these sounds.
  /// - Parameter host: nil: the test's server.
  private func installSite(sounds: [String] = ["/sound"], at host: String? = nil) throws {
    let url = { (path: String) in host.map { $0 + path } ?? server.url(path) }
    let list = """
      {"_type": "playlist", "title": "A channel", "extractor_key": "Site", "entries": [
      {"_type": "url", "ie_key": "Site", "id": "1", "url": "\(url("/v/1"))", "title": "First"},
      {"_type": "url", "ie_key": "Site", "id": "2", "url": "\(url("/v/2"))", "title": "Second", "duration": 9}]}
      """
    try home.file("list.json", Array(list.utf8))
    for (index, sound) in sounds.enumerated() {
      let video = """
        {"_type": "video", "extractor_key": "Site", "id": "1", "webpage_url": "\(url("/v/1"))", "title": "First",
        "duration": 2.4, "timestamp": 1790000000, "description": "All about it", "protocol": "http",
        "chapters": [{"start_time": 0, "end_time": 1, "title": "One"}, {"start_time": 1, "title": "Two"}],
        "url": "\(url(sound))", "http_headers": {"Referer": "\(url("/v/1"))", "X-Evil": "1"}}
        """
      try home.file("video\(index + 1).json", Array(video.utf8))
    }
    try install(
      """
      echo "$http_proxy" >> \(home.path)/proxies
      case "$*" in
      *--flat-playlist*) cat \(home.path)/list.json;;
      *) n=$(grep -c -- --no-playlist \(home.path)/calls); cat \(home.path)/video$n.json;;
      esac
      """)
  }

  private func program(_ script: String, timeLimit: Double = 600) throws -> SiteProgram {
    var settings = SiteProgram.Settings(
      program: try install(script), environment: home.environment.merging(["EARSHOT_PASSWORD": "x"]) { $1 })
    settings.timeLimit = timeLimit
    return SiteProgram(settings)
  }

  private func ask(
    _ program: SiteProgram, _ page: String = "https://site.example/v"
  ) async throws -> Result<
    SiteAnswer, PageFailure
  > {
    let address = try WebAddress(page)
    return await withCheckedContinuation { continuation in
      program.ask(.file(address)) { continuation.resume(returning: $0) }
    }
  }

  private func reason(_ script: String, timeLimit: Double = 600) async throws -> String {
    switch try await ask(try program(script, timeLimit: timeLimit)) {
    case .success(let answer):
      switch answer.file {
      case .success: return "it did not fail"
      case .failure(let failure): return failure.reason
      }
    case .failure(let failure): return failure.reason
    }
  }

  // MARK: The whole way

  @Test func channelIsAddedPlayedAndRefreshed() async throws {
    try installSite()
    let sound = LoopbackServer.Resource(Broadcast.silence(seconds: 2), type: "audio/wav", etag: "\"s\"")
    server.route("/sound", sound.answer)
    let added = try await earshot("add", server.url("/channel"))
    #expect(added.text == "Added A channel (2 episodes)\n", "\(added.stderr)")
    let podcast = try #require(
      try await earshot("list", "--json").objects().first { $0["title"] as? String == "A channel" })
    #expect(podcast["feedURL"] as? String == "yt-dlp:" + server.url("/channel"))
    let episodes = try await earshot("episodes", "A channel", "--json").objects()
    let first = try #require(episodes.first { $0["title"] as? String == "First" })
    #expect(first["mediaURL"] as? String == server.url("/v/1") && first["duration"] == nil)
    let id = try #require(first["id"] as? Int)

    let played = try await earshot("play", "\(id)")
    #expect(played.status == 0, "\(played.stderr)")
    let requests = server.requests(to: "/sound")
    #expect(!requests.isEmpty && requests.allSatisfy { $0.header("Referer") == server.url("/v/1") })
    #expect(requests.allSatisfy { $0.header("X-Evil") == nil })
    #expect(server.requests(to: "/v/1").isEmpty, "mpv has not got the page")

    // A list says less than the library knows.
    #expect(try await earshot("refresh").text.hasSuffix("0 new, 1 unchanged, 0 failed\n"))
    let after = try #require(
      try await earshot("episodes", "A channel", "--json").objects().first { $0["id"] as? Int == id })
    #expect(after["duration"] as? Int == 2 && after["pubDate"] as? String == "2026-09-21T14:13:20Z")
    #expect((after["chapters"] as? [[String: Any]])?.count == 2)
    #expect(after["status"] as? String == "played")

    #expect(calls.filter { $0.contains("--no-playlist") }.count == 1, "the address is kept while it is valid")
    for call in calls { #expect(call.hasPrefix("--ignore-config ") && call.contains(" -- http"), "\(call)") }
  }

  /// yt-dlp and the request for the sound use the proxy. The relay of this machine is not behind it.
  @Test func soundComesThroughTheProxy() async throws {
    let site = "http://site.example"
    try installSite(at: site)
    server.route(site + "/channel", .text("<html>a page</html>", type: "text/html"))
    let sound = LoopbackServer.Resource(Broadcast.silence(seconds: 2), type: "audio/wav", etag: "\"s\"")
    server.route(site + "/sound", sound.answer)
    func earshot(_ arguments: String...) async throws -> BuiltProgram.Outcome {
      try await BuiltProgram.run(arguments, in: home, environment: ["http_proxy": server.baseURL])
    }
    let added = try await earshot("add", site + "/channel")
    #expect(added.text == "Added A channel (2 episodes)\n", "\(added.stderr)")
    let first = try #require(
      try await earshot("episodes", "A channel", "--json").objects().first { $0["title"] as? String == "First" })
    let id = try #require(first["id"] as? Int)
    let played = try await earshot("play", "\(id)")
    #expect(played.status == 0, "\(played.stderr)")
    #expect(!server.requests(to: site + "/sound").isEmpty)
    let proxies = try String(contentsOfFile: home.path + "/proxies", encoding: .utf8).split(separator: "\n")
    #expect(Set(proxies) == [server.baseURL[...]])
  }

  /// The address of the sound expires in the middle. The download goes on at the same byte of the new address.
  @Test func expiredAddressOfADownloadIsReplaced() async throws {
    try installSite(sounds: ["/old", "/new"])
    let bytes = Broadcast.silence(seconds: 30)
    let sound = LoopbackServer.Resource(bytes, type: "audio/mp4", etag: "\"s\"")
    server.route("/old") { [server] request in
      server.requests(to: "/old").count > 1 ? .status(403) : sound.answer(request).cut(afterBytes: 50_000)
    }
    server.route("/new", sound.answer)
    _ = try await earshot("add", server.url("/channel"))
    let episodes = try await earshot("episodes", "A channel", "--json").objects()
    let id = try #require(episodes.first { $0["title"] as? String == "First" }?["id"] as? Int)
    let outcome = try await earshot("download", "\(id)")
    #expect(outcome.status == 0 && outcome.text.hasSuffix("First.m4a\n"), "\(outcome.stderr)")
    let file = try #require(outcome.lines.first)
    #expect(FileManager.default.contents(atPath: file) == Data(bytes))
    let rest = try #require(server.requests(to: "/new").first)
    #expect(rest.byteRange?.first == 50_000 && rest.header("If-Range") == "\"s\"")
    #expect(server.requests(to: "/old").count == 2 && calls.count { $0.contains("--no-playlist") } == 2)
  }

  @Test func olderVideosComeOnDemand() async throws {
    try installSite()
    _ = try await earshot("add", server.url("/channel"))
    #expect(
      try await earshot("refresh", "--archive", "A channel").text.contains(
        "0 new, 1 unchanged, 0 failed, 1 further page"))
    #expect(calls.last?.contains("--playlist-end 5000") == true)
  }

  @Test func listIsFetchedAlthoughItsFeedFails() async throws {
    try installSite()
    let address = "http://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901"
    server.route("http://www.youtube.com/feeds/videos.xml", .status(404))
    _ = try await BuiltProgram.run(["import", "-"], in: home, input: Data(Self.opml(address).utf8))
    let outcome = try await BuiltProgram.run(
      ["refresh", "--archive", address], in: home, environment: ["http_proxy": server.baseURL])
    #expect(
      outcome.text.hasSuffix("2 new, 0 unchanged, 1 failed, 1 further page\n") && outcome.status == 69,
      "\(outcome.stderr)")
    #expect(outcome.stderr.contains("(404)"), "\(outcome.stderr)")
    #expect(calls.last?.contains("--playlist-end 5000") == true)
  }

  private static func opml(_ address: String) -> String {
    "<opml version='2.0'><body><outline type='rss' text='A channel' xmlUrl='\(address)'/></body></opml>"
  }

  @Test func failureIsToldAndNothingStays() async throws {
    try install("echo 'ERROR: [site] 1: Private video. Sign in if you are allowed' >&2; echo null; exit 1")
    let added = try await earshot("add", "yt-dlp:" + server.url("/v/1"))
    #expect(added.status == 69 || added.status == 65)
    #expect(added.stderr.contains("it is private"), "\(added.stderr)")
    #expect(try await earshot("list", "--json").objects().count == 1)
    // A page of which yt-dlp knows nothing is reported as without it.
    try install("echo 'ERROR: Unsupported URL: x' >&2; exit 1")
    #expect(try await earshot("add", server.url("/channel")).stderr.contains("a web page came instead of a feed"))
  }

  @Test func withoutTheSettingNothingIsRun() async throws {
    try install("true")
    try home.configure("refresh_on_start = false\n")
    let added = try await earshot("add", "https://www.youtube.com/watch?v=abcdefghijk")
    #expect(added.status != 0 && added.stderr.contains("set yt_dlp in the table [sites]"), "\(added.stderr)")
    let played = try await earshot("play", "https://www.youtube.com/watch?v=abcdefghijk")
    #expect(played.status != 0 && played.stderr.contains("set yt_dlp in the table [sites]"), "\(played.stderr)")
    #expect(calls == [])
    try home.configure("[sites]\nyt_dlp = \"/no/such/program\"\n")
    let missing = try await earshot("add", "https://youtu.be/abcdefghijk")
    #expect(missing.stderr.contains("there is no program “/no/such/program”"), "\(missing.stderr)")
    #expect(try await earshot("doctor").text.contains("there is no program"))
  }

  @Test func doctorShowsTheVersion() async throws {
    try install("echo 2020.01.01")
    #expect(try await earshot("doctor").text.contains("version 2020.01.01: older than half a year"))
    try install("", settings: "yt_dlp = \"-x\"\n")
    #expect(try await earshot("doctor").stderr.contains("config.toml"))
  }

  // MARK: The program

  @Test func argumentsAreFixed() async throws {
    let program = try program("echo '{}'; test -z \"$EARSHOT_PASSWORD\" || echo secret; pwd > \(home.path)/directory")
    _ = try await ask(program, "https://site.example/$(id)?a='b'&c=--exec")
    #expect(calls.count == 1)
    #expect(calls.first?.hasPrefix("--ignore-config --no-playlist --format ") == true, "\(calls)")
    #expect(
      calls.first?.hasSuffix(" --dump-single-json -- https://site.example/$(id)?a='b'&c=--exec") == true, "\(calls)")
    #expect(try String(contentsOfFile: home.path + "/directory", encoding: .utf8) == "/\n")
    #expect(SiteList.page("yt-dlp:https://me:secret@site.example/v") == nil, "others could see the password")
    #expect(SiteList.page("yt-dlp:file:///etc/passwd") == nil)
  }

  @Test(arguments: [
    ("echo garbage", "cannot be read"), ("true", "cannot be read"), ("echo null", "cannot be read"),
    ("echo '[1]'", "cannot be read"), ("kill -9 $$", "signal 9"), ("exit 3", "status 3"),
    ("cat /dev/zero", "more than 32 MB"), (#"echo '{"url": "file:///etc/passwd"}'"#, "no sound"),
    (#"echo '{"url": "https://x.example/a", "protocol": "http_dash_segments"}'"#, "only in pieces"),
    (#"echo '{"live_status": "is_upcoming", "release_timestamp": 1795781221, "epoch": 1795774021}'"#, "live in 2 h"),
    (#"printf 'Usage\n\nyt-dlp: error: no such option: --flat\n' >&2; exit 2"#, "too old"),
  ]) func badAnswerIsRefused(script: String, reason: String) async throws {
    let text = try await self.reason(script)
    #expect(text.contains(reason), "\(text)")
  }

  @Test func hangingProgramIsEndedWithItsChild() async throws {
    let ids = home.path + "/ids"
    var limit = 0.3
    // On a busy machine the time may be over before the child has started.
    while !FileManager.default.fileExists(atPath: ids), limit < 200 {
      let text = try await reason("sleep 1000 & echo $! > \(ids).new; mv \(ids).new \(ids); wait", timeLimit: limit)
      #expect(text.contains("did not answer"), "\(text)")
      limit *= 2
    }
    let id = try #require(
      pid_t(try String(contentsOfFile: ids, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(
      try await Eventually.until {
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return kill(id, 0) != 0 || status?.contains(") Z ") == true
      })
  }

  @Test(arguments: [
    ("[youtube] x: Sign in to confirm you’re not a bot. Use --cookies", "takes yt-dlp for a robot"),
    ("[youtube] x: Sign in to confirm your age. This video may be inappropriate for some users.", "adults"),
    ("[youtube] x: Private video. Sign in if you've been granted access", "private"),
    ("[youtube] x: Join this channel to get access to members-only content", "members"),
    ("[youtube] x: Video unavailable. The uploader has not made this video available in your country", "your region"),
    ("[youtube] x: Video unavailable. This video has been removed by the uploader", "removed"),
    ("[youtube] x: This live event will begin in 2 hours.", "live in 2 hours"),
    ("[youtube] x: Premieres in 55 minutes", "live in 55 minutes"),
    ("[x] This video is DRM protected", "DRM"),
    ("[youtube] x: Unable to extract player version; please report this issue on https://github.com/…", "too old"),
    ("Unsupported URL: https://x.example/", "knows no video"),
    ("[youtube] x: Unable to download API page: <urlopen error [Errno -3] name resolution>", "cannot be reached"),
    ("[x] y: Requested format is not available. Use --list-formats", "no sound"),
    ("[x:tab] y: Something\u{1b}[31m new", "yt-dlp: Something[31m new"),
  ]) func messagesBecomeWords(message: String, words: String) {
    let failure = SiteFailure.failure(
      status: 1, errors: Data("WARNING: a\nERROR: \(message)\n".utf8), name: "yt-dlp")
    #expect(failure.reason.contains(words), "\(failure.reason)")
    #expect(failure.isConnectivity == message.contains("urlopen"))
  }

  // MARK: Answers

  private func answer(_ json: String, at page: String = "https://site.example/v") throws -> SiteAnswer {
    SiteAnswer(try #require(JSONValue(json)), at: try WebAddress(page))
  }

  @Test func hostileAnswerIsHarmless() throws {
    let list = try answer(
      #"""
      {"title": ["x"], "channel": 7, "entries": [7, null, {"url": "javascript:alert(1)", "title": "a"},
      {"url": "https://site.example/1", "title": "T\u001b[2J\nU", "duration": -3, "id": {"a": 1}, "timestamp": 1e300},
      {"url": "https://site.example/2", "title": "[Private video]"}, {"entries": [{"entries": [{"entries": [
      {"entries": [{"url": "https://site.example/deep"}]}]}]}, {"url": "https://site.example/3", "duration": 1e9}]}]}
      """#)
    #expect(list.podcast.title == "site.example" && !list.isVideo)
    #expect(list.episodes.map(\.mediaURL) == ["https://site.example/1", "https://site.example/3"])
    #expect(
      list.episodes[0].title?.contains("\u{1b}") == false && list.episodes[0].duration == nil
        && list.episodes[0].pubDate == nil)
    #expect(list.episodes.allSatisfy { $0.mediaType == VideoPage.mediaType && $0.duration == nil })
    let video = try answer(
      #"{"webpage_url": "file:///x", "url": "https://a.example/s", "http_headers": {"Referer": "x\r\nEvil: 1", "Cookie": "c"}}"#
    )
    #expect(video.episodes.first?.mediaURL == "https://site.example/v")
    #expect(try video.file.get().headers == ["Referer": "x Evil: 1"])
  }

  @Test func listsOfYouTubeHaveTheirOwnFeeds() throws {
    let feeds = "https://www.youtube.com/feeds/videos.xml"
    let channel =
      #"{"extractor_key": "YoutubeTab", "id": "@sea", "channel_id": "UC0123456789abcdefghijkl", "entries": []}"#
    #expect(try answer(channel).feedURL == feeds + "?channel_id=UC0123456789abcdefghijkl")
    #expect(
      try answer(#"{"extractor_key": "YoutubeTab", "id": "PL0123456789", "entries": []}"#).feedURL
        == feeds + "?playlist_id=PL0123456789")
    let video = try answer(
      #"{"extractor_key": "Youtube", "id": "abcdefghijk", "channel_id": "UC0123456789abcdefghijkl", "channel": "Sea"}"#)
    #expect(video.isVideo && video.feedURL == feeds + "?channel_id=UC0123456789abcdefghijkl")
    #expect(video.episodes.first?.guid == "yt:video:abcdefghijk" && video.podcast.title == "Sea")
    #expect(video.episodes.first?.mediaURL == "https://www.youtube.com/v/abcdefghijk?version=3")
    #expect(try answer(#"{"extractor_key": "Site", "id": "UC0123456789abcdefghijkl", "entries": []}"#).feedURL == nil)
    #expect(
      SiteAnswer.list(ofFeed: feeds + "?channel_id=UC0123456789abcdefghijkl")
        == "https://www.youtube.com/playlist?list=UU0123456789abcdefghijkl")
    #expect(SiteAnswer.list(ofFeed: "https://evil.example/feeds/videos.xml?playlist_id=PL0123456789") == nil)
  }

  @Test func addressesExpireAsTheySay() throws {
    let now = Date(timeIntervalSince1970: 1_795_774_021)
    func seconds(_ address: String) throws -> Double {
      Sites.expiry(of: try WebAddress(address), now: now).timeIntervalSince(now)
    }
    #expect(try seconds("https://x.example/s?expire=1795784021&a=b") == 9940)
    #expect(try seconds("https://x.example/expire/1795784021/s") == 9940)
    #expect(try seconds("https://x.example/s") == 3600)
    #expect(try seconds("https://x.example/s?expires=9999999999") == 86_400)
    #expect(try seconds("https://x.example/s?expire=1000000000") < 0)
  }

  /// A page is looked for once, however many wait for it.
  @Test func waitingRequestsShareOneRun() async throws {
    let program = try program(#"echo '{"url": "https://a.example/s"}'"#)
    let sites = Sites(program)
    let page = try WebAddress("https://site.example/v")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask {
          let file: Result<PageFile, HTTPError> = await withCheckedContinuation { continuation in
            sites.resolve(page, refused: nil) { continuation.resume(returning: $0) }
          }
          #expect((try? file.get())?.address.text == "https://a.example/s")
        }
      }
    }
    #expect(calls.count == 1)
    _ = await withCheckedContinuation { continuation in
      sites.resolve(page, refused: try? WebAddress("https://a.example/s")) { continuation.resume(returning: $0) }
    }
    #expect(calls.count == 2, "a refused address is not used again")
  }

  /// An ordinary feed cannot make yt-dlp read any address.
  @Test func feedCannotClaimAPage() async throws {
    _ = try await earshot("list")
    try home.library { library in
      var feed = Feed()
      var episode = FeedEpisode()
      (episode.guid, episode.mediaURL, episode.mediaType) = ("g", "https://evil.example/", VideoPage.mediaType)
      feed.episodes = [episode]
      let podcast = try library.subscribe(feed: feed, feedURL: "https://evil.example/feed", now: Date())
      #expect(try !library.isPage("https://evil.example/", of: podcast))
      #expect(try library.isPage("https://www.youtube.com/v/abcdefghijk?version=3", of: podcast))
      let own = try library.subscribe(feed: feed, feedURL: "yt-dlp:https://site.example/c", now: Date())
      #expect(try library.isPage("https://site.example/v", of: own))
    }
  }
}
