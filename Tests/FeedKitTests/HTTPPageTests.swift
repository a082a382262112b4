import Foundation
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import HTTP

/// Requests for the file behind a web page.
@Suite(InTurn()) struct HTTPPageTests {
  /// Names the files of pages in order, and notes what it was asked.
  private final class Pages: PageResolver {
    private let files: [String]
    private let asked = Mutex<[String?]>([])
    /// The addresses that were refused, one for each question.
    var refused: [String?] { asked.withLock { $0 } }

    init(_ files: [String]) { self.files = files }

    func resolve(
      _ page: WebAddress, refused: WebAddress?, completion: @escaping @Sendable (Result<PageFile, HTTPError>) -> Void
    ) {
      let count = asked.withLock { asked in
        asked.append(refused?.text)
        return asked.count
      }
      guard count <= files.count, let address = try? WebAddress(files[count - 1]) else {
        return completion(.failure(.page(PageFailure("it is private"))))
      }
      completion(
        .success(PageFile(address: address, headers: ["Referer": page.text, "User-Agent": "x"])))
    }
  }

  /// Never answers.
  private struct Hanging: PageResolver {
    func resolve(
      _ page: WebAddress, refused: WebAddress?, completion: @escaping @Sendable (Result<PageFile, HTTPError>) -> Void
    ) {}
  }

  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.route("/sound", .text("sound"))
    server.route("/page", .text("page", type: "text/html"))
  }

  private func client(_ pages: any PageResolver) -> HTTPClient {
    var options = HTTPOptions.forTests()
    options.pages = pages
    return HTTPClient(options: options)
  }

  @Test func fileIsFetchedWithItsHeaders() async throws {
    let sink = RecordingSink()
    let client = client(Pages([server.url("/sound")]))
    let secret = Credentials(user: "me", password: "secret", origin: try WebAddress(server.url("/")).origin)
    let response = try #require(
      await client.result(server.url("/page"), sink: sink) {
        $0.isPage = true
        $0.headers = [("Range", "bytes=2-")]
        $0.credentials = [secret]
      }.value)
    #expect(response.status == 200 && response.url.text == server.url("/sound"))
    #expect(sink.text == "sound")
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1 && request.header("Range") == "bytes=2-")
    #expect(request.header("Referer") == server.url("/page") && request.header("User-Agent") == "x")
    #expect(request.header("Authorization") == nil, "a password for the page is not for its file")
  }

  @Test func otherRequestsAreNotForThePage() async throws {
    let sink = RecordingSink()
    _ = await client(Pages([])).result(server.url("/page"), sink: sink)
    #expect(sink.text == "page")
  }

  @Test(arguments: [403, 404, 410]) func refusedFileIsLookedForAgainOnce(status: Int) async throws {
    server.route("/old", .status(status))
    let sink = RecordingSink()
    let pages = Pages([server.url("/old"), server.url("/sound")])
    _ = await client(pages).result(server.url("/page"), sink: sink) { $0.isPage = true }
    #expect(sink.text == "sound" && pages.refused == [nil, server.url("/old")])
    let refused = Pages([server.url("/old"), server.url("/old"), server.url("/sound")])
    let answer = await client(refused).result(server.url("/page")) { $0.isPage = true }
    #expect(answer.value?.status == status && refused.refused.count == 2)
  }

  @Test func failureIsReported() async throws {
    let answer = await client(Pages([])).result(server.url("/page")) { $0.isPage = true }
    #expect(answer.error == .page(PageFailure("it is private")) && server.requests.isEmpty)
    #expect(answer.error?.cause == "it is private")
  }

  @Test func cancellingDoesNotWaitForTheFile() async throws {
    let client = client(Hanging())
    var request = HTTPRequest(url: try WebAddress(server.url("/page")))
    request.isPage = true
    let result: Result<HTTPResponse, HTTPError> = await withCheckedContinuation { continuation in
      let id = client.send(request, sink: RecordingSink()) { continuation.resume(returning: $0) }
      client.cancel(id)
    }
    #expect(throws: HTTPError.cancelled) { try result.get() }
  }
}
