import AppCore
import Foundation
import Model
import Programs
import Services
import Store

/// The video of an episode in the listener's own player.
extension EffectRunner {
  /// On the queue for writes, because its position may be waiting to be written.
  func openVideo(_ id: EpisodeID, from second: Double?) {
    writes.async { [self] in
      do throws(StoreError) {
        guard var detail = try library.episode(id) else { return }
        guard let file = detail.feed.video else {
          return mailbox.post(.message(Message(.info, "“\(detail.row.title)” has no video")))
        }
        if let second = recorder.position(of: id) { detail.row.position = second }
        let settings = try library.effectiveSettings(of: detail.row.podcast)
        let start = try EpisodeStart(
          detail, from: second, settings: settings, rewinds: false, library: library, now: Date())
        // Of a page, only the sound is downloaded.
        let download = detail.feed.isVideoPage(file.url) ? nil : downloads.files.file(of: detail)
        let isOwnFile = try library.withPreferredMedia(detail).feed.mediaURL == file.url
        guard let address = isOwnFile ? download ?? file.url : file.url as String?,
          address.hasPrefix("/") || ["http://", "https://"].contains(where: address.lowercased().hasPrefix)
        else { return mailbox.post(.message(Message(.error, "The video has no web address"))) }
        video.open(
          VideoWindow.Request(
            episode: id, title: detail.row.title, address: address.hasPrefix("/") ? address : address.withoutUserInfo,
            start: start.second))
      } catch {
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }
}

extension VideoWindow {
  convenience init(_ configuration: Configuration, mailbox: Mailbox<Action>) {
    self.init(
      words: configuration.video.command, home: HomePath.directory(), environment: ProcessEnvironment.variables
    ) {
      mailbox.post(.video($0))
    } fail: {
      mailbox.post(.message(Message(.error, $0)))
    }
  }
}
