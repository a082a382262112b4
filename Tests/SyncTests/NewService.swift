import HTTP
import Store

@testable import Services

extension SyncService {
  /// A service with a new library and without an account.
  static func withNewLibrary(in directory: String, http: HTTPOptions = HTTPOptions()) throws -> SyncService {
    SyncService(
      library: try Library(path: directory + "/earshot.db"), every: 0,
      passwords: SyncPassword.Source(file: directory + "/password", command: nil, environment: [:]),
      client: HTTPClient(options: http))
  }
}
