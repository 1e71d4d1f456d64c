-- Sort, format, match, substitute and call, for bench/run-mip-edges with Lua.
-- SPDX-License-Identifier: GPL-3.0-or-later
local state = 42
local function random (n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n + 1
end
local function sort (n)
  local t = {}
  for i = 1, n do t[i] = random (100000) end
  table.sort (t)
  table.sort (t, function (a, b) return a > b end)
  return t
end
local function words (n)
  local t = {}
  for i = 1, n do
    t[#t + 1] = string.format ("%s%d:%5.2f", string.char (96 + random (26)), i, i / 7)
  end
  return table.concat (t, " ")
end
local function match (text)
  local counts = {}
  for word in text:gmatch ("%a%d+") do
    local k = word:sub (1, 1)
    counts[k] = (counts[k] or 0) + 1
  end
  return counts
end
local function fib (n) if n < 2 then return n end return fib (n - 1) + fib (n - 2) end
local Point = {}
Point.__index = Point
Point.__add = function (a, b) return setmetatable ({ x = a.x + b.x }, Point) end
function Point:length () return self.x * self.x end
local p = setmetatable ({ x = 1 }, Point)
for i = 1, 500 do p = p + setmetatable ({ x = i }, Point) end
local t = sort (1500)
local text = words (600)
local counts = match (text)
local replaced, n = text:gsub ("(%a)(%d+)", function (a, d) return d .. a end)
local upper = text:gsub ("%a", string.upper)
local ok, message = pcall (function () error ({ code = 3 }) end)
local sum = 0
for k, v in pairs (counts) do sum = sum + v end
local co = coroutine.wrap (function () for i = 1, 100 do coroutine.yield (i) end end)
for i = 1, 100 do sum = sum + co () end
print (t[1], #text, n, #upper, fib (18), p:length (), ok, message.code, sum)
