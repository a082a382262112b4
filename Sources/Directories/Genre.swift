/// The genres of Apple's charts. Other directories use the same English names.
public struct Genre: Sendable, Equatable {
  /// Apple's id.
  public let id: Int
  public let name: String

  public static let all: [Genre] = [
    Genre(id: 1301, name: "Arts"), Genre(id: 1321, name: "Business"), Genre(id: 1303, name: "Comedy"),
    Genre(id: 1304, name: "Education"), Genre(id: 1483, name: "Fiction"), Genre(id: 1511, name: "Government"),
    Genre(id: 1512, name: "Health & Fitness"), Genre(id: 1487, name: "History"),
    Genre(id: 1305, name: "Kids & Family"), Genre(id: 1502, name: "Leisure"), Genre(id: 1310, name: "Music"),
    Genre(id: 1489, name: "News"), Genre(id: 1314, name: "Religion & Spirituality"),
    Genre(id: 1533, name: "Science"), Genre(id: 1324, name: "Society & Culture"), Genre(id: 1545, name: "Sports"),
    Genre(id: 1318, name: "Technology"), Genre(id: 1488, name: "True Crime"), Genre(id: 1309, name: "TV & Film"),
  ]

  /// The genre with this name or with this unique prefix of a name, ignoring case.
  public init?(named text: String) {
    let wanted = text.lowercased()
    let exact = Self.all.filter { $0.name.lowercased() == wanted }
    let found = exact.isEmpty ? Self.all.filter { $0.name.lowercased().hasPrefix(wanted) } : exact
    guard !wanted.isEmpty, found.count == 1 else { return nil }
    self = found[0]
  }

  private init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}
