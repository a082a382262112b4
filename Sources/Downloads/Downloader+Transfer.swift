import Foundation
import HTTP
import Model
import Store
import Streams

/// Running one download: sending the request and handling the result. Everything here runs on the downloader's queue.
extension Downloader {
  /// Opens the file and sends the request. False if the download ended at once.
  func begin(_ entry: DownloadEntry) -> Bool {
    var entry = entry
    do throws(DownloadError) {
      guard let path = files.path(entry.fileName), let part = files.part(entry.fileName) else {
        throw .cannotWrite(entry.fileName, reason: "outside of the directory of downloads")
      }
      // The program was killed after renaming the file and before the library recorded it.
      if let size = Self.size(of: path), size > 0, size == entry.resume.total, Self.size(of: part) == nil,
        let whole = CompleteFile(at: path, bytes: size)
      {
        complete(entry, whole)
        return false
      }
      let file = try PartFile(path: part)
      if let bytes = try bytesDownloadedElsewhere(of: entry) {
        // Its bytes may be the ones of the complete file, which was not unlinked from this name.
        file.remove()
        files.deleteEmptyPart(entry.fileName)
        removeFromQueue(entry.id)
        report(.finished(entry.id, title: entry.title, bytes: bytes))
        return false
      }
      let name = entry.fileName
      if try hasOtherName(&entry) {
        file.remove()
        files.deleteEmptyPart(name)
        entries[entry.id] = entry
        queue.async { [weak self] in self?.queueChanged() }
        return false
      }
      // The program was killed after the file got its name, and before the library recorded it.
      if file.isSame(as: path) {
        try finish(entry, file)
        return false
      }
      let streamed = try reuseStreamedBytes(of: &entry, into: file)
      if streamed.isMore {
        file.end()
        entries[entry.id] = entry
        queue.async { [weak self] in self?.queueChanged() }
        return false
      }
      // The program was killed after the last byte and before renaming the file.
      if let total = entry.resume.total, file.size == total, entry.resume.ifRange != nil, total > 0 {
        try finish(entry, file)
        return false
      }
      let offset = entry.resume.ifRange != nil && entry.mismatches == 0 && !entry.isCompressed ? file.size : 0
      let sink = makeSink(entry, file, offset: offset, end: streamed.end)
      let id = entry.id
      entry.activity = DownloadEntry.Activity(
        request: client.send(request(for: entry, sink), sink: sink) { [weak self] result in
          self?.queue.async { [weak self] in self?.ended(id, sink, file, result) }
        }, sink: sink)
      entry.phase = .running
      entry.pause = nil
      entry.meter = RateMeter()
      entries[entry.id] = entry
      return true
    } catch {
      fail(entry, error)
      return false
    }
  }

  /// Stores the download again if another process has removed it, before the first byte is written. If another process
  /// has begun it under another name, the entry gets that name, so that no two files are of one episode.
  private func hasOtherName(_ entry: inout DownloadEntry) throws(DownloadError) -> Bool {
    let row: Download
    do { row = try library.beginDownload(entry.row, now: options.now()) } catch {
      // That the library cannot be written was reported when the download was added. The end of the file needs it.
      if unsaved.contains(entry.id) { return false }
      throw .library(error.description)
    }
    guard row.fileName != entry.fileName, files.path(row.fileName) != nil else { return false }
    entry.fileName = row.fileName
    if let resume = ResumeData(row.resumeData), resume.url == entry.resume.url { entry.resume = resume }
    return true
  }

  private func makeSink(_ entry: DownloadEntry, _ file: PartFile, offset: Int64, end: Int64?) -> DownloadSink {
    let (library, now) = (library, options.now)
    let (id, fileName) = (entry.id, entry.fileName)
    return DownloadSink(
      file: file, resume: entry.resume, offset: offset, end: end, decompresses: entry.isCompressed,
      fullAfter: options.fullAfter,
      checkSpace: spaceCheck(for: entry),
      onBegin: { resume in
        do throws(StoreError) {
          try library.saveDownload(
            Download(
              episode: id, fileName: fileName, downloadComplete: false, bytes: resume.total, resumeData: resume.text),
            now: now(), replacesComplete: false)
          return nil
        } catch { return .library(error.description) }
      })
  }

  /// Checks the space for the bytes still to come. The closure returns an error if there is not enough.
  func spaceCheck(for entry: DownloadEntry) -> @Sendable (Int64) -> DownloadError? {
    // Reserves what the other transfers still need.
    let others = entries.values.compactMap { other -> Int64? in
      guard other.id != entry.id, let activity = other.activity, let total = activity.sink.resume.total else {
        return nil
      }
      return max(0, total - activity.sink.received)
    }
    return { [options] needed in
      guard let free = options.freeSpace(options.directory) else { return nil }
      return Self.spaceError(needed: needed, free: free, reserved: [options.reserve] + others)
    }
  }

  /// Returns an error if the bytes do not fit. Servers may announce any length.
  static func spaceError(needed: Int64, free: Int64, reserved: [Int64]) -> DownloadError? {
    let reserved = reserved.reduce(Int64(0)) { $0.addingClamped($1) }
    return needed > max(0, free - reserved) ? .noSpace(needed: needed, free: free, reserved: reserved) : nil
  }

  private func request(for entry: DownloadEntry, _ sink: DownloadSink) -> HTTPRequest {
    var request = HTTPRequest(url: entry.address)
    request.isPage = entry.isPage
    // No compression: byte ranges must refer to the file itself.
    request.encoding = entry.isCompressed ? .compressed : .identity
    request.deadline = .infinity
    request.use(options.access(entry.podcast))
    if sink.asksForPart, let ifRange = entry.resume.ifRange {
      let last = sink.end.map { "\($0 - 1)" } ?? ""
      request.headers = [("Range", "bytes=\(sink.offset)-\(last)"), ("If-Range", ifRange)]
    }
    return request
  }

  /// Handles the end of a request.
  private func ended(
    _ id: EpisodeID, _ sink: DownloadSink, _ file: PartFile, _ result: Result<HTTPResponse, HTTPError>
  ) {
    guard var entry = entries[id], entry.activity?.sink === sink else { return file.end() }
    let before = entry.stored
    entry.activity = nil
    let (isPaused, failure) = (entry.resume.isPaused, entry.resume.failure)
    entry.resume = sink.resume
    entry.resume.isPaused = isPaused
    entry.resume.failure = failure
    entry.stored = file.size
    if file.size > before { (entry.failures, entry.lastError) = (0, nil) }
    if sink.hasBegun { entry.mismatches = 0 }
    entries[id] = entry
    defer { queueChanged() }
    if entry.isDropped {
      file.end()
      return discard(entry)
    }
    do throws(DownloadError) {
      if try conclude(&entry, sink, file, result) { return try finish(entry, file) }
      file.end()
      if entry.phase == .running { entry.phase = .waiting }
      entries[id] = entry
      save(entry)
    } catch {
      file.end()
      if entry.phase == .running { retry(entry, after: error, isQuiet: file.size > before) } else { save(entry) }
    }
  }

  /// True when the file is complete. False when it must be requested again or was paused.
  private func conclude(
    _ entry: inout DownloadEntry, _ sink: DownloadSink, _ file: PartFile, _ result: Result<HTTPResponse, HTTPError>
  ) throws(DownloadError) -> Bool {
    switch sink.stop {
    case .failed(let error): throw error
    case .compressed:
      entry.isCompressed = true
      return false
    case .mismatch:
      entry.mismatches += 1
      // Without a range in the request, a server can only send the whole file. Repeated partial responses are an
      // error.
      guard entry.mismatches < 3 else { throw .notMedia("a part that was not asked for") }
      return false
    case nil: break
    }
    let response: HTTPResponse
    switch result {
    case .success(let answer): response = answer
    case .failure(.cancelled): return false
    case .failure(let error): throw .fetch(error)
    }
    if response.status == 416 {
      // 416: there are no bytes after the stored ones. The file is complete, or it has changed.
      if let total = ContentRange(response.head["Content-Range"])?.total, total == file.size, total > 0 { return true }
      entry.mismatches += 1
      guard entry.mismatches < 3 else { throw .fetch(.refused(status: 416)) }
      return false
    }
    if let error = response.refusal { throw .fetch(error) }
    guard (200..<300).contains(response.status) else { throw .fetch(.refused(status: response.status)) }
    // The rest is already cached from streaming.
    if response.status == 206, file.size == sink.end { return false }
    if let total = entry.resume.total, file.size != total { throw .wrongLength(file.size, expected: total) }
    guard file.size > 0 else { throw .empty }
    if MediaType.isPage(response.head.contentType, length: file.size) { throw .notMedia("a page") }
    return true
  }

  // MARK: Completion and failure

  /// All bytes have arrived: renames the file to its final name.
  private func finish(_ entry: DownloadEntry, _ file: PartFile) throws(DownloadError) {
    var entry = entry
    let whole = try CompleteFile(file)
    guard var path = files.path(entry.fileName) else { throw .unknownEpisode }
    let isLinked = file.isSame(as: path)
    if !isLinked, entry.resume.replacesFile == true { unlink(path) }
    if !isLinked, FileManager.default.fileExists(atPath: path) {
      // Another file with this name has appeared meanwhile. It is kept.
      do {
        guard let detail = try library.episode(entry.id) else { throw DownloadError.unknownEpisode }
        entry.fileName = try files.freeName(for: detail)
      } catch let error as DownloadError { throw error } catch { throw .library(String(describing: error)) }
      guard let other = files.path(entry.fileName) else { throw .unknownEpisode }
      path = other
      // Saved now, so that the file is found again if the program is killed before the end.
      save(entry)
    }
    // Saved now, so that the file is recognised by its length if the program is killed before the end.
    if entry.resume.total == nil {
      entry.resume.total = whole.bytes
      save(entry)
    }
    if !isLinked { try file.finish(as: path) }
    complete(entry, whole, file)
  }

  /// A download becomes complete only here.
  /// - Parameter part: stays locked until the library knows the file, so that no other process begins the download or
  ///   removes it in between.
  private func complete(_ entry: DownloadEntry, _ file: CompleteFile, _ part: PartFile? = nil) {
    let download = Download(episode: entry.id, fileName: entry.fileName, downloadComplete: true, bytes: file.bytes)
    do throws(StoreError) {
      defer { part?.remove() }
      if try !library.saveDownload(download, now: options.now(), replacesComplete: false) {
        if try deleteTwin(entry) { return }
        try library.saveDownload(download, now: options.now())
      }
    } catch {
      // The file is complete. The next start finds it under its name.
      var entry = entry
      entry.stored = file.bytes
      return fail(entry, .library(error.description))
    }
    removeFromQueue(entry.id)
    // If the episode plays from the copy, it continues to do so.
    if !protected.contains(entry.id) { options.streams?.remove(entry.address) }
    // Another process has deleted the episode meanwhile, and left the file to this one.
    if isMarkedDeleted(entry.id), removeFile(of: entry.id) { return report(.removed([entry.id])) }
    report(.finished(entry.id, title: entry.title, bytes: file.bytes))
    applyRules(keeping: entry.id)
  }

  /// Another process has completed the download under another name meanwhile: this file is deleted.
  /// - Returns: false if the file of the other one is missing or was changed.
  private func deleteTwin(_ entry: DownloadEntry) throws(StoreError) -> Bool {
    guard let other = try library.download(entry.id), other.fileName != entry.fileName,
      let bytes = files.state(of: other)?.bytes
    else { return false }
    if let path = files.path(entry.fileName) { unlink(path) }
    removeFromQueue(entry.id)
    report(.finished(entry.id, title: entry.title, bytes: bytes))
    return true
  }

  /// - Parameter isQuiet: bytes arrived, so the failure of this attempt is not reported.
  private func retry(_ entry: DownloadEntry, after error: DownloadError, isQuiet: Bool) {
    var entry = entry
    let now = options.now()
    let isFirstFailure = entry.failures == 0 && !isQuiet
    entry.lastError = error.description
    entry.failures += 1
    guard error.isTransient, entry.failures <= options.repeats else { return fail(entry, error) }
    entry.phase = .waiting
    var end = now.addingTimeInterval(options.retry.delay(afterFailures: entry.failures, random: options.random()))
    // A server that asks for a short pause again and again would otherwise be asked for ever.
    if case .fetch(.rateLimited(let until, _)) = error { end = max(end, until) }
    entry.pause = now..<end
    // More bytes than announced belong to another file.
    if case .wrongLength(let bytes, let expected) = error, bytes > expected { entry.mismatches = 1 }
    entries[entry.id] = entry
    save(entry)
    // Reported once, not for each retry.
    if isFirstFailure { report(.delayed(entry.id, message: "\(entry.title): \(error); it is tried again")) }
  }

  private func fail(_ entry: DownloadEntry, _ error: DownloadError) {
    var entry = entry
    let text = error.description
    entry.activity = nil
    entry.phase = .failed(text)
    entry.lastError = text
    // Temporary and local failures are not stored, so the next start tries again.
    entry.resume.failure = error.isTransient || error.isLocal ? nil : text
    entries[entry.id] = entry
    // While another process downloads it, the row and the file belong to that process.
    if error != .busy {
      // The library may not know the name, and then nothing would find the file again.
      files.deleteEmptyPart(entry.fileName)
      save(entry)
    }
    report(.failed(entry.id, error.cause, message: "\(entry.title): \(text)"))
  }

  /// Deletes a cancelled download and its files. Keeps what another process is downloading or has downloaded meanwhile.
  func discard(_ entry: DownloadEntry) {
    do throws(DownloadError) {
      if let bytes = try bytesDownloadedElsewhere(of: entry) {
        removeFromQueue(entry.id)
        // A deleted episode needs no file.
        if isMarkedDeleted(entry.id) {
          if removeFile(of: entry.id) { report(.removed([entry.id])) }
        } else {
          report(.finished(entry.id, title: entry.title, bytes: bytes))
        }
        return
      }
      // If another process has begun it under another name, the row belongs to that one.
      let download = try stored(entry.id).flatMap { $0.fileName == entry.fileName ? $0 : nil }
      _ = try delete(entry.fileName, of: download)
      removeFromQueue(entry.id)
    } catch {
      var entry = entry
      entry.isDropped = false
      entry.phase = .failed(error.description)
      entries[entry.id] = entry
      report(.failed(entry.id, .local, message: "\(entry.title): \(error)"))
    }
  }

  /// The size of the file if another process has completed this download; nil if it has not.
  func bytesDownloadedElsewhere(of entry: DownloadEntry) throws(DownloadError) -> Int64? {
    try stored(entry.id).flatMap { files.state(of: $0)?.bytes }
  }

  /// Stores the state of an unfinished download, unless another process has completed it meanwhile.
  func save(_ entry: DownloadEntry) {
    do throws(StoreError) {
      try library.saveDownload(entry.row, now: options.now(), replacesComplete: false)
      unsaved.remove(entry.id)
    } catch {
      // Reported once, not for each attempt.
      guard unsaved.insert(entry.id).inserted else { return }
      report(.failed(entry.id, .local, message: "\(entry.title): \(error)"))
    }
  }
}
