import Foundation

/// Whether the machine runs on its battery, from Linux's /sys/class/power_supply
/// (Documentation/ABI/testing/sysfs-class-power).
package enum PowerSupply {
  /// False if nothing is known, such as on a desktop. A battery of a mouse (`scope` Device) does not count.
  package static func isBattery(_ directory: String = "/sys/class/power_supply") -> Bool {
    let supplies = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    func value(_ supply: String, _ name: String) -> String? {
      (try? String(contentsOfFile: "\(directory)/\(supply)/\(name)", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let own = supplies.filter { value($0, "scope") != "Device" }
    if own.contains(where: { value($0, "type") != "Battery" && value($0, "online") == "1" }) { return false }
    return own.contains { value($0, "type") == "Battery" && value($0, "status") == "Discharging" }
  }
}
