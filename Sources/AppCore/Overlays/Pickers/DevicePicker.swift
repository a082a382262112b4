import Model
import TerminalKit

/// The audio devices.
public struct DevicePicker: PickerPurpose {
  public var title: String { "Audio device" }
  public func text(_ device: AudioDevice, _ state: State) -> String { Sanitize.line(device.description) }
  public func choose(_ device: AudioDevice, _ state: inout State) -> [Effect] { state.choose(device) }
}
