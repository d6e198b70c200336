-- Keeps rows.
local Store = {}
Store.__index = Store

local LIMIT = 10

--- Makes an empty store.
-- @param limit how many rows fit
function Store.new(limit)
  local self = setmetatable({}, Store)
  self.rows = {}
  self.limit = limit or LIMIT
  return self
end

function Store:add(row)
  if #self.rows >= self.limit then
    return false
  end
  table.insert(self.rows, row)
  return true
end

local function hello(name)
  return "hello " .. name
end

Store.count = function(self)
  return #self.rows
end

return Store
