/// An error as a sentence for the listener. The module that fails makes the sentence; a screen or a command shows it.
public struct ReportedError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A command ends with another status for each.
  public enum Cause: Equatable, Sendable {
    /// The network or a server, so that another try may succeed.
    case connectivity
    /// Data that cannot be used.
    case data
    /// A setting of the listener.
    case configuration
    /// Something could not be written.
    case storage
    case other
  }

  public var text: String
  public var cause: Cause
  /// The server of a podcast that is added wants a user name and a password.
  public var loginProblem: LoginProblem?
  public init(_ text: String, _ cause: Cause = .other) {
    self.text = text
    self.cause = cause
  }

  public var description: String { text }

  public struct LoginProblem: Equatable, Sendable {
    /// The only server that gets the user name and the password.
    public var server: Origin
    /// The server does not accept what was given.
    public var isRefused: Bool

    public init(server: Origin, isRefused: Bool) {
      self.server = server
      self.isRefused = isRefused
    }
  }
}

/// A user name and a password that the listener gives beside the address of a podcast.
public struct FeedLogin: Equatable, Sendable, CustomStringConvertible {
  public var user: String
  public var password: String
  /// The server that has asked for them: that of the address, or one to which it leads. Nil: that of the address.
  public var server: Origin?

  public init(user: String, password: String, server: Origin? = nil) {
    self.user = user
    self.password = password
    self.server = server
  }

  /// Without the password.
  public var description: String { user }
}

/// A message for the status bar and the log.
public struct Message: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case info, success, warning, error

    /// Whether it reports a problem.
    public var isProblem: Bool { self == .warning || self == .error }

    /// The text before the message. It names the kind, so that colour is never the only sign.
    public var sign: String {
      switch self {
      case .info, .success: ""
      case .warning: "Warning: "
      case .error: "Error: "
      }
    }
  }
  public var kind: Kind
  public var text: String

  /// Removes passwords and keys from addresses in the text.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = Redaction.text(text)
  }
}
