import Foundation
import Synchronization

@testable import Directories
@testable import HTTP

/// Returns answers from a table and records the requests.
final class FakeTransport: DirectoryTransport {
  struct Answer: Sendable {
    var status = 200
    var body: String
    var finalURL: String?
  }

  private let answers: @Sendable (DirectoryRequest) -> Answer
  private let log = Mutex<[DirectoryRequest]>([])

  init(_ answers: @escaping @Sendable (DirectoryRequest) -> Answer) { self.answers = answers }

  convenience init(_ body: String, status: Int = 200) { self.init { _ in Answer(status: status, body: body) } }

  var requests: [DirectoryRequest] { log.withLock { $0 } }

  func send(_ request: DirectoryRequest) async throws(HTTPError) -> DirectoryResponse {
    log.withLock { $0.append(request) }
    let answer = answers(request)
    return DirectoryResponse(status: answer.status, body: Data(answer.body.utf8), url: answer.finalURL ?? request.url)
  }
}
