const std = @import("std");

const limit: usize = 10;

/// Keeps rows.
pub const Store = struct {
    rows: std.ArrayList(u8),

    /// Adds a row.
    pub fn add(self: *Store, row: u8) !void {
        if (self.rows.items.len >= limit) {
            return error.Full;
        }
        try self.rows.append(row);
    }
};

pub fn main() !void {
    var store = Store{ .rows = std.ArrayList(u8).init(std.heap.page_allocator) };
    try store.add(1);
    std.debug.print("one row\n", .{});
}

test "adds a row" {
    var store = Store{ .rows = std.ArrayList(u8).init(std.testing.allocator) };
    try store.add(1);
}
