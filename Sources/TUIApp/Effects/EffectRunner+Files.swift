import AppCore
import Foundation
import Importers
import Model
import Programs
import Services
import Store
import TerminalKit

/// Import and export of files.
extension EffectRunner {
  func handle(_ task: FileTask) {
    switch task {
    case .importLibrary(let file): importFile(HomePath.expanding(file))
    case .exportSubscriptions(let file): exportSubscriptions(to: HomePath.expanding(file))
    case .exportClip(let clip, let file): export(clip, to: HomePath.expanding(file))
    case .listFiles(let head):
      // A network folder may be slow, so it is not read on the main thread.
      reads.async { [mailbox] in mailbox.post(.fileNames(Self.names(beginningWith: head), head: head)) }
    }
  }

  /// Names of files and folders that begin with the text, at most 200. Folders end with a slash. Hidden files are only
  /// listed if the text begins with a dot.
  static func names(beginningWith head: String) -> [String] {
    let folder = head.lastIndex(of: "/").map { String(head[...$0]) } ?? (head == "~" ? "~/" : "")
    let name = head.dropFirst(min(folder.count, head.count))
    let path = HomePath.expanding(folder.isEmpty ? "." : folder)
    // A folder that cannot be read has no completions.
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let wanted = all.filter {
      $0.hasPrefix(name) && ($0.hasPrefix(".") == name.hasPrefix(".")) && Sanitize.line($0) == $0
    }
    return wanted.sorted().prefix(200).map { found in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: (path as NSString).appendingPathComponent(found), isDirectory: &isFolder)
      return folder + found + (exists && isFolder.boolValue ? "/" : "")
    }
  }

  private func showMessage(_ kind: Message.Kind, _ text: String) { mailbox.post(.message(Message(kind, text))) }

  private func importFile(_ file: String) {
    if let refusal { return mailbox.post(.imported(.failure(ReportedError(refusal)))) }
    // Reading a large library takes long. Only the import writes.
    reads.async { [self] in
      do throws(ImportError) {
        let foreign = try LibraryImport.read(file, scratchDirectory: scratchDirectory)
        writes.async { [self] in adopt(foreign) }
      } catch {
        mailbox.post(.imported(.failure(ReportedError(error.description))))
      }
    }
  }

  private func adopt(_ foreign: ForeignLibrary) {
    do throws(StoreError) {
      let outcome = try LibraryImport(library: library).adopt(foreign, now: Date())
      for address in outcome.refused { showMessage(.warning, "\(address): not an address of a feed") }
      for note in outcome.notes { showMessage(.info, note) }
      mailbox.post(
        .imported(
          .success(
            ImportCounts(
              added: outcome.result.added.count, known: outcome.result.known, refused: outcome.refused.count,
              more: outcome.states + outcome.notes, isDoubtful: !outcome.notes.isEmpty))))
      sync?.scheduleSoon()
    } catch {
      mailbox.post(.imported(.failure(ReportedError(error.description))))
    }
  }

  private func exportSubscriptions(to file: String) {
    guard isFree(file) else { return }
    reads.async { [self] in
      do {
        let export = SubscriptionExport(library: library)
        let entries = try export.entries()
        try OutputFile.write(export.data(entries, date: Date()), to: file)
        let keys = entries.count { Redaction.hasKey($0.url) }
        let secret =
          keys > 0 ? "; \(keys == 1 ? "an address holds" : "addresses hold") a private key: keep it to yourself" : ""
        let count = Counted.text(entries.count, "podcast")
        showMessage(keys > 0 ? .warning : .success, "\(count) written to \(HomePath.full(file))\(secret)")
      } catch {
        showMessage(.error, "\(file) was not written: \(error)")
      }
    }
  }

  private func export(_ clip: Clip, to file: String) {
    guard isFree(file) else { return }
    // Changes of the clip are stored before. The export may take minutes, because a stream is fetched up to the clip.
    writes.async { [self] in
      DispatchQueue.global(qos: .utility).async { [self] in
        do throws(ReportedError) {
          let duration = try ClipExportProcess.run(clip.id, to: file, executable: resources.executable)
          let length = TimeText.clock(duration.rounded())
          showMessage(.success, "The clip is written to \(HomePath.full(file)), \(length) long")
        } catch {
          showMessage(.error, error.description)
        }
      }
    }
  }

  /// Whether the file does not exist yet. Exports never replace a file.
  private func isFree(_ file: String) -> Bool {
    guard FileManager.default.fileExists(atPath: file) else { return true }
    showMessage(.warning, "\(file) exists already: choose another name")
    return false
  }
}
