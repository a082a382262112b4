import Foundation
import HTTP
import Model

/// One request to a directory.
public struct DirectoryRequest: Sendable {
  public var url: String
  /// Headers with a secret. They must not reach another origin, so a request with them follows no redirects.
  public var secretHeaders: [(name: String, value: String)] = []
  /// A form (application/x-www-form-urlencoded), sent with POST.
  public var form: String?

  public init(_ url: String) { self.url = url }
}

/// The query of a URL (RFC 3986 §3.4).
enum AddressQuery {
  /// `name=value&…`, with percent-encoded values.
  static func text(_ items: [(String, String)]) -> String {
    items.map { name, value in "\(name)=\(value.percentEncoded)" }.joined(separator: "&")
  }
}

/// A directory's response.
public struct DirectoryResponse: Sendable {
  public var status: Int
  public var body: Data
  /// The address after redirects.
  public var url: String
}

/// Sends requests to directories. Tests have their own implementation.
public protocol DirectoryTransport: Sendable {
  func send(_ request: DirectoryRequest) async throws(HTTPError) -> DirectoryResponse
}

/// Sends requests with the program's HTTP client. Responses are limited to 4 MB and 20 seconds.
public struct HTTPDirectoryTransport: DirectoryTransport {
  private let client: HTTPClient
  private let deadline: Double
  private static let maxBytes: Int64 = 4 * 1024 * 1024

  /// - Parameter deadline: seconds from the request to the end of the response.
  public init(_ client: HTTPClient, deadline: Double = 20) {
    self.client = client
    self.deadline = deadline
  }

  public func send(_ request: DirectoryRequest) async throws(HTTPError) -> DirectoryResponse {
    var question = HTTPRequest(
      url: try WebAddress(request.url), headers: [("Accept", "application/json, text/html;q=0.5, */*;q=0.3")])
    question.headers += request.secretHeaders
    question.followsRedirects = request.secretHeaders.isEmpty
    question.maxBytes = Self.maxBytes
    question.deadline = deadline
    // The merged results wait for all directories.
    question.retriesTimeouts = false
    question.receivesRefusal = true
    if let form = request.form {
      question.method = "POST"
      question.headers.append(("Content-Type", "application/x-www-form-urlencoded"))
      question.body = Array(form.utf8)
    }
    let sink = BodyBuffer()
    let response = try await client.perform(question, sink: sink)
    return DirectoryResponse(status: response.status, body: Data(sink.bytes), url: response.url.text)
  }
}

extension DirectoryTransport {
  /// Sends a request. HTTP statuses become errors with the directory's name.
  func fetch(_ request: DirectoryRequest, of directory: String) async throws(DirectoryError) -> DirectoryResponse {
    let response: DirectoryResponse
    do throws(HTTPError) {
      response = try await send(request)
    } catch .rateLimited(let until, _) {
      throw DirectoryError(directory, .rateLimited(until: until))
    } catch {
      throw DirectoryError(directory, .fetch(error))
    }
    switch response.status {
    case 200..<300: return response
    case 400:
      // Podcast Index says why.
      let why = JSONValue(response.body)?["description"]?.line
      throw DirectoryError(
        directory, why.map { DirectoryError.Reason.refused($0) } ?? .fetch(.refused(status: response.status)))
    case 429: throw DirectoryError(directory, .rateLimited())
    case 404: throw DirectoryError(directory, .fetch(.notFound))
    default: throw DirectoryError(directory, .fetch(.refused(status: response.status)))
    }
  }

  /// Requests JSON.
  func json(_ request: DirectoryRequest, of directory: String) async throws(DirectoryError) -> JSONValue {
    let response = try await fetch(request, of: directory)
    guard let json = JSONValue(response.body) else {
      throw DirectoryError(directory, .unreadable(response.body.first == UInt8(ascii: "<") ? "a web page" : "not JSON"))
    }
    return json
  }
}
