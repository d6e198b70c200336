import Foundation

/// Keeps rows.
@available(iOS 13, *)
public class Store<T>: Base, Keeping {
    private var rows: [T] = []

    /// How many there are.
    public var count: Int {
        return rows.count
    }

    public init(limit: Int) {
        self.limit = limit
        super.init()
    }

    // Adds a row.
    @discardableResult
    public func add(_ row: T) -> Bool {
        guard rows.count < limit else {
            return false
        }
        rows.append(row)
        return true
    }
}

extension Store: CustomStringConvertible {
    public var description: String {
        return "a store of \(count) rows"
    }
}

protocol Keeping {
    func add(_ row: Int) -> Bool
}

struct Point {
    var x: Int
    var y: Int
    func length() -> Double { return 0 }
}

enum Color {
    case red
    case green
}

func hello(name: String) -> String {
    return "hello \(name)"
}
