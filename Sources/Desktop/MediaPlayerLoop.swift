#if canImport(CSDBus)
  import CSDBus
  import Foundation
  import LoopbackSocket
  import Model

  /// The thread of the bus: connects, requests the name, answers calls, and emits changes.
  final class MediaPlayerLoop {
    private let source: MediaPlayerBus
    private let onCommand: (RemoteCommand) -> Void
    private let link: BusConnection
    private let bus: earshot_sdbus
    private let connection: OpaquePointer
    /// The properties that were emitted last.
    private var emitted: MediaPlayerProperties?
    private var last = NowPlaying()
    private var lastAt = ContinuousClock.now

    private typealias Names = MediaPlayerProperties

    init(_ source: MediaPlayerBus, onCommand: @escaping (RemoteCommand) -> Void) throws(BusError) {
      self.source = source
      self.onCommand = onCommand
      link = try BusConnection()
      (bus, connection) = (link.functions, link.pointer)
    }

    func run(wake: WakePipe) throws(BusError) {
      let context = Unmanaged.passUnretained(self).toOpaque()
      try check(
        "add_object",
        bus.add_object(
          connection, nil, Names.path,
          { message, context, _ in
            guard let message, let context else { return 0 }
            return Unmanaged<MediaPlayerLoop>.fromOpaque(context).takeUnretainedValue().answer(message)
          }, context))
      try requestName()
      emitted = Names(source.now)
      last = source.now
      while !source.isClosed {
        while try process() {}
        try emitChanges()
        for notice in source.takeNotices() { notify(notice.title, notice.body) }
        wait(wake)
      }
    }

    /// A second player adds its process id to the name (MPRIS specification, "Bus name policy").
    private func requestName() throws(BusError) {
      let code = bus.request_name(connection, Names.busName, 0)
      guard code == -EEXIST || code == -EALREADY else { return try check("request_name", code) }
      try check("request_name", bus.request_name(connection, "\(Names.busName).instance\(getpid())", 0))
    }

    private func process() throws(BusError) -> Bool {
      let code = bus.process(connection, nil)
      try check("process", code)
      return code > 0
    }

    private func wait(_ wake: WakePipe) {
      var until: UInt64 = .max
      _ = bus.get_timeout(connection, &until)
      var timeout: Int32 = -1
      if until != .max {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec / 1000)
        timeout = until > now ? Int32(clamping: (until - now) / 1000 + 1) : 0
      }
      var entries = [
        pollfd(fd: bus.get_fd(connection), events: Int16(truncatingIfNeeded: bus.get_events(connection)), revents: 0),
        pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      poll(&entries, 2, timeout)
      _ = wake.drain()
    }

    // MARK: Signals

    /// Emits changed properties, and `Seeked` after a jump of the position.
    private func emitChanges() throws(BusError) {
      let now = source.now
      let properties = Names(now)
      let changes = properties.changes(since: emitted)
      if !changes.isEmpty {
        try emit(
          "org.freedesktop.DBus.Properties", "PropertiesChanged",
          [.string(Names.playerInterface), .dictionary(changes), .strings([])])
        emitted = properties
      }
      if isJump(to: now) {
        try emit(Names.playerInterface, "Seeked", [.int64(Names.microseconds(now.position))])
      }
      last = now
      lastAt = .now
    }

    /// Whether the position differs from what clients extrapolate: after a seek, a network interruption, or a start in
    /// the middle.
    private func isJump(to now: NowPlaying) -> Bool {
      guard now.title != nil, now.status != .stopped else { return false }
      if now.seeks != last.seeks { return true }
      if now.generation != last.generation || (last.status == .loading && now.status != .loading) {
        return now.position > 1
      }
      guard last.status == .playing else { return abs(now.position - last.position) > 1.5 }
      let seconds = (ContinuousClock.now - lastAt) / .seconds(1)
      return abs(now.position - (last.position + seconds * last.speed)) > 2
    }

    private func emit(_ interface: String, _ member: String, _ values: [BusValue]) throws(BusError) {
      var pointer: OpaquePointer?
      try check("message_new_signal", bus.message_new_signal(connection, &pointer, Names.path, interface, member))
      guard let pointer else { return }
      let message = BusMessage(pointer, bus, isOwned: true)
      try message.append(values)
      try link.send(message)
    }

    private func notify(_ title: String, _ body: String) {
      do throws(BusError) {
        try DesktopNotice.send(title: title, body: body, on: link)
      } catch {
        // There is no notification service. The screen shows the same.
      }
    }

    // MARK: Calls

    /// The methods of the player's interface.
    private static let methods: [String: @Sendable (MediaPlayerLoop, BusMessage) -> RemoteCommand?] = [
      "Next": { loop, _ in loop.source.now.hasNext ? .next : nil },
      "Previous": { loop, _ in loop.source.now.hasPrevious ? .previous : nil },
      "Pause": { _, _ in .pause }, "PlayPause": { _, _ in .toggle }, "Stop": { _, _ in .stop },
      "Play": { _, _ in .play },
      "Seek": { loop, message in message.readInt64().flatMap { loop.seek(by: Double($0) / 1e6) } },
      "SetPosition": { loop, message in
        guard let track = message.readPath(), let target = message.readInt64() else { return nil }
        return loop.seek(track: track, to: Double(target) / 1e6)
      },
    ]

    private static let introspection = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>
       <interface name="org.freedesktop.DBus.Introspectable">
        <method name="Introspect"><arg type="s" direction="out"/></method>
       </interface>
       <interface name="org.freedesktop.DBus.Properties">
        <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
        </method>
        <method name="GetAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method>
        <method name="Set"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/>
        </method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
       </interface>
       <interface name="org.mpris.MediaPlayer2">
        <method name="Raise"/><method name="Quit"/>
        <property name="CanQuit" type="b" access="read"/><property name="CanRaise" type="b" access="read"/>
        <property name="HasTrackList" type="b" access="read"/><property name="Identity" type="s" access="read"/>
        <property name="DesktopEntry" type="s" access="read"/>
        <property name="SupportedUriSchemes" type="as" access="read"/>
        <property name="SupportedMimeTypes" type="as" access="read"/>
       </interface>
       <interface name="org.mpris.MediaPlayer2.Player">
        <method name="Next"/><method name="Previous"/><method name="Pause"/><method name="PlayPause"/>
        <method name="Stop"/><method name="Play"/>
        <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
        <method name="SetPosition"><arg name="TrackId" type="o" direction="in"/>
         <arg name="Position" type="x" direction="in"/></method>
        <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
        <signal name="Seeked"><arg name="Position" type="x"/></signal>
        <property name="PlaybackStatus" type="s" access="read"/><property name="Rate" type="d" access="readwrite"/>
        <property name="Metadata" type="a{sv}" access="read"/><property name="Volume" type="d" access="readwrite"/>
        <property name="Position" type="x" access="read"/><property name="MinimumRate" type="d" access="read"/>
        <property name="MaximumRate" type="d" access="read"/><property name="CanGoNext" type="b" access="read"/>
        <property name="CanGoPrevious" type="b" access="read"/><property name="CanPlay" type="b" access="read"/>
        <property name="CanPause" type="b" access="read"/><property name="CanSeek" type="b" access="read"/>
        <property name="CanControl" type="b" access="read"/>
       </interface>
      </node>
      """

    /// Called by sd-bus for each call to the player's path.
    /// - Returns: 1 if it was answered; 0 if not, so that sd-bus answers with an error.
    private func answer(_ pointer: OpaquePointer) -> Int32 {
      guard bus.message_is_method_call(pointer, nil, nil) > 0 else { return 0 }
      let call = BusMessage(pointer, bus, isOwned: false)
      do throws(BusError) {
        switch (call.interface, call.member) {
        case (Names.playerInterface, let member):
          if member == "OpenUri" {
            return try refuse(call, "NotSupported", "Earshot opens no addresses that other programs give it")
          }
          guard let method = Self.methods[member] else { return try refuse(call, "UnknownMethod", "not supported") }
          if let command = method(self, call) { onCommand(command) }
          return try reply(call, [])
        case (Names.rootInterface, "Quit"):
          onCommand(.quit)
          return try reply(call, [])
        case (Names.rootInterface, "Raise"): return try reply(call, [])
        case ("org.freedesktop.DBus.Introspectable", "Introspect"):
          return try reply(call, [.string(Self.introspection)])
        case ("org.freedesktop.DBus.Properties", "GetAll"):
          return try reply(call, [.dictionary(properties(of: call.readString() ?? ""))])
        case ("org.freedesktop.DBus.Properties", "Get"):
          let interface = call.readString() ?? ""
          guard let name = call.readString(), let value = properties(of: interface)[name] else {
            return try refuse(call, "UnknownProperty", "there is no such property")
          }
          return try reply(call, [.variant([value])])
        case ("org.freedesktop.DBus.Properties", "Set"):
          _ = call.readString()
          guard let name = call.readString(), let number = call.readVariantNumber(), number.isFinite,
            let command = Self.setter(name, number)
          else { return try refuse(call, "PropertyReadOnly", "this cannot be set") }
          onCommand(command)
          return try reply(call, [])
        default: return 0
        }
      } catch {
        // The caller gets no answer. The next `process` checks the connection.
        return 1
      }
    }

    private func properties(of interface: String) -> [String: BusValue] {
      switch interface {
      case Names.rootInterface: return Names.root
      case Names.playerInterface:
        var properties = Names(source.now).player
        properties["Position"] = .int64(Names.microseconds(source.position))
        return properties
      default: return [:]
      }
    }

    private static func setter(_ name: String, _ number: Double) -> RemoteCommand? {
      switch name {
      // "If the rate is 0, act as if Pause was called"; negative volumes count as 0 (MPRIS).
      case "Rate": number == 0 ? .pause : number > 0 ? .speed(number) : nil
      case "Volume": .volume(max(0, number) * 100)
      default: nil
      }
    }

    /// A seek beyond the end goes to the next track, as MPRIS says.
    private func seek(by delta: Double) -> RemoteCommand? {
      let now = source.now
      if let duration = now.duration, source.position + delta > duration {
        return now.hasNext ? .next : .seek(to: duration)
      }
      return .seekBy(delta)
    }

    /// Ignored for an old track and for a position outside of the track, as MPRIS says.
    private func seek(track: String, to target: Double) -> RemoteCommand? {
      let now = source.now
      guard track == Names.trackID(now), target >= 0, target <= now.duration ?? .infinity else { return nil }
      return .seek(to: target)
    }

    private func reply(_ call: BusMessage, _ values: [BusValue]) throws(BusError) -> Int32 {
      var pointer: OpaquePointer?
      try check("message_new_method_return", bus.message_new_method_return(call.pointer, &pointer))
      guard let pointer else { return 1 }
      let message = BusMessage(pointer, bus, isOwned: true)
      try message.append(values)
      try link.send(message)
      return 1
    }

    private func refuse(_ call: BusMessage, _ name: String, _ text: String) throws(BusError) -> Int32 {
      let code = "org.freedesktop.DBus.Error.\(name)".withCString { name in
        text.withCString { text in
          var error = sd_bus_error(name: name, message: text, _need_free: 0)
          return bus.reply_method_error(call.pointer, &error)
        }
      }
      try check("reply_method_error", code)
      return 1
    }

    private func check(_ call: String, _ code: Int32) throws(BusError) {
      guard code >= 0 else { throw .failed("sd_bus_\(call)", code: -code) }
    }
  }
#endif
