import Foundation
import Synchronization

/// The result or the error of one directory.
public struct DirectoryOutcome: Sendable {
  public var name: DirectoryName
  public var result: Result<DirectoryAnswer, DirectoryError>
}

/// Queries several directories at once.
public struct DirectorySearch: Sendable {
  public let directories: [any PodcastDirectory]

  public init(_ directories: [any PodcastDirectory]) { self.directories = directories }

  /// Calls `report` with the result of each directory as it arrives, never concurrently. Returns when all have
  /// answered. Cancelling the task cancels the requests.
  public func run(_ query: DirectoryQuery, report: @escaping @Sendable (DirectoryOutcome) -> Void) async {
    await withTaskGroup(of: DirectoryOutcome.self) { group in
      for directory in directories where directory.supports(query.kind) {
        group.addTask {
          do throws(DirectoryError) {
            var answer = try await directory.find(query)
            answer.cut(to: query.limit)
            return DirectoryOutcome(name: directory.name, result: .success(answer))
          } catch {
            return DirectoryOutcome(name: directory.name, result: .failure(error))
          }
        }
      }
      for await outcome in group where !Task.isCancelled { report(outcome) }
    }
  }

  /// The merged results, after all directories have answered.
  public func results(_ query: DirectoryQuery) async -> DirectoryResults {
    let results = Mutex(DirectoryResults(query))
    await run(query) { outcome in results.withLock { $0.add(outcome) } }
    return results.withLock { $0 }
  }
}
