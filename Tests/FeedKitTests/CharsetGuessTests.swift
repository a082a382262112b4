import Foundation
import Testing

@testable import FeedKit

/// Documents that are not UTF-8 and declare no encoding, or a wrong one.
@Suite struct CharsetGuessTests {
  struct Guess: CustomTestStringConvertible {
    let charset: String
    /// The feed's `language`; empty if absent.
    let language: String
    let text: String
    let bytes: [UInt8]
    var testDescription: String { "\(charset) \(language)" }

    init(_ charset: String, _ language: String, _ text: String, _ hex: String) {
      (self.charset, self.language, self.text) = (charset, language, text)
      let digits = Array(hex)
      bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }

    func document(_ declaration: String = "") -> Data {
      let language = language.isEmpty ? "" : "<language>\(language)</language>"
      return Data(
        Array("\(declaration)<rss version=\"2.0\"><channel>\(language)<title>".utf8) + bytes
          + Array("</title></channel></rss>".utf8))
    }
  }

  static let guesses = [
    Guess(
      "euc-kr", "", "한국어로 듣는 세계 뉴스와 음악 이야기",
      "c7d1b1b9beeeb7ce20b5e8b4c220bcbcb0e820b4babdbabfcd20c0bdbec720c0ccbedfb1e2"),
    Guess(
      "shift_jis", "", "今週は東京の古い市場を訪ねて、商人たちの話を聞きました。",
      "8da18f5482cd938c8b9e82cc8cc382a28e738fea82f0964b82cb82c481418fa4906c82bd82bf82cc986282f095b782ab82dc"
        + "82b582bd8142"),
    Guess(
      "euc-jp", "", "今週は東京の古い市場を訪ねて、商人たちの話を聞きました。",
      "baa3bdb5a4cfc5ecb5fea4ceb8c5a4a4bbd4beeca4f2cbaca4cda4c6a1a2bea6bfcda4bfa4c1a4cecfc3a4f2cab9a4ada4de"
        + "a4b7a4bfa1a3"),
    Guess(
      "gb18030", "", "本周我们访问了城市里的老市场，听商人讲他们的故事。",
      "b1bed6dcced2c3c7b7c3cecac1cbb3c7cad0c0efb5c4c0cfcad0b3a1a3acccfdc9ccc8cbbdb2cbfbc3c7b5c4b9cacac2a1a3"),
    Guess(
      "big5", "", "本周我們訪問了城市裡的老市場，聽商人講他們的故事。",
      "a5bba950a7daadccb358b0dda446abb0a5abb8ccaabaa6d1a5abb3f5a141c5a5b0d3a448c1bfa54cadccaabaac47a8c6a143"),
    Guess(
      "big5", "zh-TW", "今天的播客",
      "a4b5a4d1aababcbdabc8"),
    Guess(
      "gb18030", "zh-cn", "今天的播客",
      "bdf1ccecb5c4b2a5bfcd"),
    Guess(
      "windows-1251", "", "На этой неделе мы посетили старый рынок и послушали рассказы торговцев.",
      "cde020fdf2eee920ede5e4e5ebe520ecfb20efeef1e5f2e8ebe820f1f2e0f0fbe920f0fbedeeea20e820efeef1ebf3f8e0eb"
        + "e820f0e0f1f1eae0e7fb20f2eef0e3eee2f6e5e22e"),
    Guess(
      "koi8-r", "", "На этой неделе мы посетили старый рынок и послушали рассказы торговцев.",
      "eec120dcd4cfca20cec5c4c5ccc520cdd920d0cfd3c5d4c9ccc920d3d4c1d2d9ca20d2d9cecfcb20c920d0cfd3ccd5dbc1cc"
        + "c920d2c1d3d3cbc1dad920d4cfd2c7cfd7c3c5d72e"),
    Guess(
      "windows-1253", "", "Αυτή την εβδομάδα επισκεφθήκαμε την παλιά αγορά και ακούσαμε τις ιστορίες των εμπόρων.",
      "c1f5f4de20f4e7ed20e5e2e4efecdce4e120e5f0e9f3eae5f6e8deeae1ece520f4e7ed20f0e1ebe9dc20e1e3eff1dc20eae1"
        + "e920e1eaeffdf3e1ece520f4e9f220e9f3f4eff1dfe5f220f4f9ed20e5ecf0fcf1f9ed2e"),
    Guess(
      "windows-1255", "", "השבוע ביקרנו בשוק הישן ושמענו את סיפורי הסוחרים.",
      "e4f9e1e5f220e1e9f7f8f0e520e1f9e5f720e4e9f9ef20e5f9eef2f0e520e0fa20f1e9f4e5f8e920e4f1e5e7f8e9ed2e"),
    Guess(
      "windows-1256", "", "زرنا هذا الأسبوع السوق القديم واستمعنا إلى قصص التجار.",
      "d2d1e4c720e5d0c720c7e1c3d3c8e6da20c7e1d3e6de20c7e1decfede320e6c7d3cae3dae4c720c5e1ec20ded5d520c7e1ca"
        + "ccc7d12e"),
    Guess(
      "cp874", "", "สัปดาห์นี้เราไปเยี่ยมตลาดเก่าและฟังเรื่องราวของพ่อค้า",
      "cad1bbb4d2cbecb9d5e9e0c3d2e4bbe0c2d5e8c2c1b5c5d2b4e0a1e8d2e1c5d0bfd1a7e0c3d7e8cda7c3d2c7a2cda7bee8cd" + "a4e9d2"),
    Guess(
      "windows-1250", "pl", "Nowe technologie i nasze życie",
      "4e6f776520746563686e6f6c6f6769652069206e61737a6520bf79636965"),
    Guess(
      "iso-8859-2", "pl", "W tym tygodniu odwiedziliśmy stary targ i wysłuchaliśmy opowieści kupców o życiu w mieście.",
      "572074796d207479676f646e6975206f64776965647a696c69b66d792073746172792074617267206920777973b375636861"
        + "6c69b66d79206f706f776965b66369206b757063f377206f20bf796369752077206d6965b66369652e"),
    Guess(
      "windows-1254", "tr", "Bu hafta eski çarşıyı ziyaret ettik ve tüccarların öykülerini dinledik.",
      "42752068616674612065736b6920e76172fefd79fd207a69796172657420657474696b2076652074fc636361726c6172fd6e"
        + "20f6796bfc6c6572696e692064696e6c6564696b2e"),
    Guess(
      "windows-1252", "", "Cette semaine nous avons visité le vieux marché et écouté les récits des commerçants.",
      "43657474652073656d61696e65206e6f75732061766f6e73207669736974e9206c65207669657578206d61726368e9206574"
        + "20e9636f7574e9206c65732072e9636974732064657320636f6d6d6572e7616e74732e"),
    Guess(
      "windows-1252", "de",
      "Diese Woche besuchten wir den alten Markt und hörten Händlern zu, die über ihr Leben erzählten.",
      "446965736520576f6368652062657375636874656e207769722064656e20616c74656e204d61726b7420756e642068f67274"
        + "656e2048e46e646c65726e207a752c2064696520fc62657220696872204c6562656e2065727ae4686c74656e2e"),
    Guess(
      "windows-1252", "ko", "Café Müller, naïve façade – “déjà vu”",
      "436166e9204dfc6c6c65722c206e61ef7665206661e76164652096209364e96ae020767594"),
  ]

  @Test(arguments: guesses)
  func undeclaredCharsetIsGuessed(guess: Guess) throws {
    for declaration in ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version='1.0' encoding='us-ascii'?>"] {
      for pieces in [1, 4096] {
        let feed = try FeedSample.read(guess.document(declaration), pieces: pieces)
        #expect(feed.podcast.title == guess.text)
        #expect(feed.podcast.damaged)
      }
    }
  }

  @Test(arguments: ["euc-kr", "shift_jis", "windows-1251", "big5"])
  func declaredLatin1IsOverridden(charset: String) throws {
    let guess = try #require(Self.guesses.first { $0.charset == charset })
    let type = "text/xml; charset=ISO-8859-1"
    #expect(try FeedReader.read(guess.document(), contentType: type).podcast.title == guess.text)
  }

  @Test func impossibleDeclaredCharsetIsIgnored() throws {
    let guess = try #require(Self.guesses.first { $0.charset == "shift_jis" })
    let document = guess.document("<?xml version='1.0' encoding='EUC-JP'?>")
    #expect(try FeedReader.read(document).podcast.title == guess.text)
  }

  @Test
  func westernTextIsRecognized() throws {
    var mixed = Array("Caf".utf8) + [0xE9]
    mixed += Array(" M".utf8) + [0xFC]
    mixed += Array("ller \u{2013} d".utf8.prefix(6)) + [0xE9, 0x6A, 0xE0]
    let samples: [[UInt8]] = [[0xE9], [0xA9, 0xAE], [0x93, 0xC9, 0x74, 0xE9, 0x94], Array(0xC0...0xC4), mixed]
    for bytes in samples {
      let document = Array("<rss><channel><title>".utf8) + bytes + Array("</title></channel></rss>".utf8)
      let expected = String(String.UnicodeScalarView(bytes.compactMap(CleanText.windows1252)))
      #expect(try FeedReader.read(Data(document)).podcast.title == expected)
    }
  }

  @Test func transcriptCharsetIsGuessed() throws {
    let guess = try #require(Self.guesses.first { $0.charset == "gb18030" })
    let cue = Array("1\n00:00:01,000 --> 00:00:03,000\n".utf8) + guess.bytes + Array("\n".utf8)
    #expect(try TranscriptReader.read(Data(cue), type: "application/x-subrip").lines.first?.text == guess.text)
  }

  @Test func withoutTheLibraryNothingIsDetected() {
    #expect(CharsetDetector(names: ["libno-such-library.so"]) == nil)
  }
}
