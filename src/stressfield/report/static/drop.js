"use strict";
(() => {
  var __create = Object.create;
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __getProtoOf = Object.getPrototypeOf;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __commonJS = (cb, mod) => function __require() {
    try {
      return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
    } catch (e) {
      throw mod = 0, e;
    }
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
    // If the importer is in node compatibility mode or this is not an ESM
    // file that has been converted to a CommonJS file using a Babel-
    // compatible transform (i.e. "__esModule" has not been set), then set
    // "default" to the CommonJS "module.exports" for node compatibility.
    isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
    mod
  ));

  // node_modules/@foxglove/rostime/dist/Time.js
  var require_Time = __commonJS({
    "node_modules/@foxglove/rostime/dist/Time.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
    }
  });

  // node_modules/@foxglove/rostime/dist/timeUtils.js
  var require_timeUtils = __commonJS({
    "node_modules/@foxglove/rostime/dist/timeUtils.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.isTime = isTime;
      exports.toString = toString;
      exports.fromString = fromString;
      exports.toRFC3339String = toRFC3339String;
      exports.fromRFC3339String = fromRFC3339String;
      exports.toDate = toDate;
      exports.fromDate = fromDate;
      exports.percentOf = percentOf;
      exports.interpolate = interpolate;
      exports.fixTime = fixTime;
      exports.add = add;
      exports.subtract = subtract;
      exports.toNanoSec = toNanoSec;
      exports.toMicroSec = toMicroSec;
      exports.toSec = toSec;
      exports.fromSec = fromSec;
      exports.fromNanoSec = fromNanoSec;
      exports.toMillis = toMillis;
      exports.fromMillis = fromMillis;
      exports.fromMicros = fromMicros;
      exports.clampTime = clampTime;
      exports.isTimeInRangeInclusive = isTimeInRangeInclusive;
      exports.compare = compare5;
      exports.isLessThan = isLessThan;
      exports.isGreaterThan = isGreaterThan2;
      exports.areEqual = areEqual;
      function isTime(obj) {
        return typeof obj === "object" && !!obj && typeof obj.sec === "number" && typeof obj.nsec === "number" && Object.getOwnPropertyNames(obj).length === 2;
      }
      function toString(stamp, allowNegative = false) {
        if (!allowNegative && (stamp.sec < 0 || stamp.nsec < 0)) {
          throw new Error(`Invalid negative time { sec: ${stamp.sec}, nsec: ${stamp.nsec} }`);
        }
        const sec = Math.floor(stamp.sec);
        const nsec = Math.floor(stamp.nsec);
        return `${sec}.${nsec.toFixed().padStart(9, "0")}`;
      }
      function parseNanoseconds(digits) {
        const digitsShort = 9 - digits.length;
        return Math.round(parseInt(digits, 10) * 10 ** digitsShort);
      }
      function fromString(stamp) {
        if (/^\d+\.?$/.test(stamp)) {
          const sec2 = parseInt(stamp, 10);
          return { sec: isNaN(sec2) ? 0 : sec2, nsec: 0 };
        }
        if (!/^\d+\.\d+$/.test(stamp)) {
          return void 0;
        }
        const partials = stamp.split(".");
        if (partials.length === 0) {
          return void 0;
        }
        const [first2, second] = partials;
        if (first2 == void 0 || second == void 0) {
          return void 0;
        }
        const sec = parseInt(first2, 10);
        const nsec = parseNanoseconds(second);
        return fixTime({ sec: isNaN(sec) ? 0 : sec, nsec });
      }
      function toRFC3339String(stamp) {
        if (stamp.sec < 0 || stamp.nsec < 0) {
          throw new Error(`Invalid negative time { sec: ${stamp.sec}, nsec: ${stamp.nsec} }`);
        }
        if (stamp.nsec >= 1e9) {
          throw new Error(`Invalid nanosecond value ${stamp.nsec}`);
        }
        const date = new Date(stamp.sec * 1e3);
        const year = date.getUTCFullYear();
        const month = (date.getUTCMonth() + 1).toFixed().padStart(2, "0");
        const day = date.getUTCDate().toFixed().padStart(2, "0");
        const hour = date.getUTCHours().toFixed().padStart(2, "0");
        const minute = date.getUTCMinutes().toFixed().padStart(2, "0");
        const second = date.getUTCSeconds().toFixed().padStart(2, "0");
        const nanosecond = stamp.nsec.toFixed().padStart(9, "0");
        return `${year}-${month}-${day}T${hour}:${minute}:${second}.${nanosecond}Z`;
      }
      function fromRFC3339String(stamp) {
        const match = /^(\d{4,})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(stamp);
        if (match == null) {
          return void 0;
        }
        const [, year, month, day, hour, minute, second, frac, plusMinus, offHours, offMinutes] = match;
        const offSign = plusMinus === "-" ? -1 : 1;
        const utcMillis = Date.UTC(+year, +month - 1, +day, +hour - offSign * +(offHours ?? 0), +minute - offSign * +(offMinutes ?? 0), +second);
        if (utcMillis % 1e3 !== 0) {
          return void 0;
        }
        return fixTime({
          sec: utcMillis / 1e3,
          nsec: frac != void 0 ? parseNanoseconds(frac) : 0
        });
      }
      function toDate(stamp) {
        const { sec, nsec } = stamp;
        return new Date(sec * 1e3 + nsec / 1e6);
      }
      function fromDate(date) {
        const millis = date.getTime();
        const remainder = millis % 1e3;
        return { sec: Math.floor(millis / 1e3), nsec: remainder * 1e6 };
      }
      function percentOf(start, end, target) {
        const totalDuration = subtract(end, start);
        const targetDuration = subtract(target, start);
        return toSec(targetDuration) / toSec(totalDuration);
      }
      function interpolate(start, end, fraction) {
        const duration = subtract(end, start);
        return add(start, fromSec(fraction * toSec(duration)));
      }
      function fixTime(t, allowNegative = false) {
        const durationNanos = t.nsec;
        const secsFromNanos = Math.floor(durationNanos / 1e9);
        const newSecs = t.sec + secsFromNanos;
        const remainingDurationNanos = durationNanos % 1e9;
        const newNanos = Math.abs(Math.sign(remainingDurationNanos) === -1 ? 1e9 + remainingDurationNanos : remainingDurationNanos);
        const result = { sec: newSecs, nsec: newNanos };
        if (!allowNegative && result.sec < 0 || result.nsec < 0) {
          throw new Error(`Cannot normalize invalid time ${toString(result, true)}`);
        }
        return result;
      }
      function add({ sec: sec1, nsec: nsec1 }, { sec: sec2, nsec: nsec2 }) {
        return fixTime({ sec: sec1 + sec2, nsec: nsec1 + nsec2 });
      }
      function subtract({ sec: sec1, nsec: nsec1 }, { sec: sec2, nsec: nsec2 }) {
        return fixTime({ sec: sec1 - sec2, nsec: nsec1 - nsec2 }, true);
      }
      function toNanoSec({ sec, nsec }) {
        return BigInt(sec) * 1000000000n + BigInt(nsec);
      }
      function toMicroSec({ sec, nsec }) {
        return (sec * 1e9 + nsec) / 1e3;
      }
      function toSec({ sec, nsec }) {
        return sec + nsec * 1e-9;
      }
      function fromSec(value) {
        let sec = Math.trunc(value);
        let nsec = Math.round((value - sec) * 1e9);
        sec += Math.trunc(nsec / 1e9);
        nsec %= 1e9;
        return { sec, nsec };
      }
      function fromNanoSec(nsec) {
        return { sec: Number(nsec / 1000000000n), nsec: Number(nsec % 1000000000n) };
      }
      function toMillis(time, roundUp = true) {
        const secondsMillis = time.sec * 1e3;
        const nsecMillis = time.nsec / 1e6;
        return roundUp ? secondsMillis + Math.ceil(nsecMillis) : secondsMillis + Math.floor(nsecMillis);
      }
      function fromMillis(value) {
        let sec = Math.trunc(value / 1e3);
        let nsec = Math.round((value - sec * 1e3) * 1e6);
        sec += Math.trunc(nsec / 1e9);
        nsec %= 1e9;
        return { sec, nsec };
      }
      function fromMicros(value) {
        let sec = Math.trunc(value / 1e6);
        let nsec = Math.round((value - sec * 1e6) * 1e3);
        sec += Math.trunc(nsec / 1e9);
        nsec %= 1e9;
        return { sec, nsec };
      }
      function clampTime(time, start, end) {
        if (compare5(start, time) > 0) {
          return { sec: start.sec, nsec: start.nsec };
        }
        if (compare5(end, time) < 0) {
          return { sec: end.sec, nsec: end.nsec };
        }
        return { sec: time.sec, nsec: time.nsec };
      }
      function isTimeInRangeInclusive(time, start, end) {
        if (compare5(start, time) > 0 || compare5(end, time) < 0) {
          return false;
        }
        return true;
      }
      function compare5(left, right) {
        const secDiff = left.sec - right.sec;
        return secDiff !== 0 ? secDiff : left.nsec - right.nsec;
      }
      function isLessThan(left, right) {
        return compare5(left, right) < 0;
      }
      function isGreaterThan2(left, right) {
        return compare5(left, right) > 0;
      }
      function areEqual(left, right) {
        return left.sec === right.sec && left.nsec === right.nsec;
      }
    }
  });

  // node_modules/@foxglove/rostime/dist/index.js
  var require_dist = __commonJS({
    "node_modules/@foxglove/rostime/dist/index.js"(exports) {
      "use strict";
      var __createBinding = exports && exports.__createBinding || (Object.create ? (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        var desc = Object.getOwnPropertyDescriptor(m, k);
        if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
          desc = { enumerable: true, get: function() {
            return m[k];
          } };
        }
        Object.defineProperty(o, k2, desc);
      }) : (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        o[k2] = m[k];
      }));
      var __exportStar = exports && exports.__exportStar || function(m, exports2) {
        for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(exports2, p)) __createBinding(exports2, m, p);
      };
      Object.defineProperty(exports, "__esModule", { value: true });
      __exportStar(require_Time(), exports);
      __exportStar(require_timeUtils(), exports);
    }
  });

  // node_modules/heap/lib/heap.js
  var require_heap = __commonJS({
    "node_modules/heap/lib/heap.js"(exports, module) {
      (function() {
        var Heap6, defaultCmp, floor, heapify, heappop, heappush, heappushpop, heapreplace, insort, min, nlargest, nsmallest, updateItem, _siftdown, _siftup;
        floor = Math.floor, min = Math.min;
        defaultCmp = function(x, y) {
          if (x < y) {
            return -1;
          }
          if (x > y) {
            return 1;
          }
          return 0;
        };
        insort = function(a, x, lo, hi, cmp) {
          var mid;
          if (lo == null) {
            lo = 0;
          }
          if (cmp == null) {
            cmp = defaultCmp;
          }
          if (lo < 0) {
            throw new Error("lo must be non-negative");
          }
          if (hi == null) {
            hi = a.length;
          }
          while (lo < hi) {
            mid = floor((lo + hi) / 2);
            if (cmp(x, a[mid]) < 0) {
              hi = mid;
            } else {
              lo = mid + 1;
            }
          }
          return [].splice.apply(a, [lo, lo - lo].concat(x)), x;
        };
        heappush = function(array, item, cmp) {
          if (cmp == null) {
            cmp = defaultCmp;
          }
          array.push(item);
          return _siftdown(array, 0, array.length - 1, cmp);
        };
        heappop = function(array, cmp) {
          var lastelt, returnitem;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          lastelt = array.pop();
          if (array.length) {
            returnitem = array[0];
            array[0] = lastelt;
            _siftup(array, 0, cmp);
          } else {
            returnitem = lastelt;
          }
          return returnitem;
        };
        heapreplace = function(array, item, cmp) {
          var returnitem;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          returnitem = array[0];
          array[0] = item;
          _siftup(array, 0, cmp);
          return returnitem;
        };
        heappushpop = function(array, item, cmp) {
          var _ref;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          if (array.length && cmp(array[0], item) < 0) {
            _ref = [array[0], item], item = _ref[0], array[0] = _ref[1];
            _siftup(array, 0, cmp);
          }
          return item;
        };
        heapify = function(array, cmp) {
          var i, _i, _j, _len, _ref, _ref1, _results, _results1;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          _ref1 = (function() {
            _results1 = [];
            for (var _j2 = 0, _ref2 = floor(array.length / 2); 0 <= _ref2 ? _j2 < _ref2 : _j2 > _ref2; 0 <= _ref2 ? _j2++ : _j2--) {
              _results1.push(_j2);
            }
            return _results1;
          }).apply(this).reverse();
          _results = [];
          for (_i = 0, _len = _ref1.length; _i < _len; _i++) {
            i = _ref1[_i];
            _results.push(_siftup(array, i, cmp));
          }
          return _results;
        };
        updateItem = function(array, item, cmp) {
          var pos;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          pos = array.indexOf(item);
          if (pos === -1) {
            return;
          }
          _siftdown(array, 0, pos, cmp);
          return _siftup(array, pos, cmp);
        };
        nlargest = function(array, n, cmp) {
          var elem, result, _i, _len, _ref;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          result = array.slice(0, n);
          if (!result.length) {
            return result;
          }
          heapify(result, cmp);
          _ref = array.slice(n);
          for (_i = 0, _len = _ref.length; _i < _len; _i++) {
            elem = _ref[_i];
            heappushpop(result, elem, cmp);
          }
          return result.sort(cmp).reverse();
        };
        nsmallest = function(array, n, cmp) {
          var elem, i, los, result, _i, _j, _len, _ref, _ref1, _results;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          if (n * 10 <= array.length) {
            result = array.slice(0, n).sort(cmp);
            if (!result.length) {
              return result;
            }
            los = result[result.length - 1];
            _ref = array.slice(n);
            for (_i = 0, _len = _ref.length; _i < _len; _i++) {
              elem = _ref[_i];
              if (cmp(elem, los) < 0) {
                insort(result, elem, 0, null, cmp);
                result.pop();
                los = result[result.length - 1];
              }
            }
            return result;
          }
          heapify(array, cmp);
          _results = [];
          for (i = _j = 0, _ref1 = min(n, array.length); 0 <= _ref1 ? _j < _ref1 : _j > _ref1; i = 0 <= _ref1 ? ++_j : --_j) {
            _results.push(heappop(array, cmp));
          }
          return _results;
        };
        _siftdown = function(array, startpos, pos, cmp) {
          var newitem, parent, parentpos;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          newitem = array[pos];
          while (pos > startpos) {
            parentpos = pos - 1 >> 1;
            parent = array[parentpos];
            if (cmp(newitem, parent) < 0) {
              array[pos] = parent;
              pos = parentpos;
              continue;
            }
            break;
          }
          return array[pos] = newitem;
        };
        _siftup = function(array, pos, cmp) {
          var childpos, endpos, newitem, rightpos, startpos;
          if (cmp == null) {
            cmp = defaultCmp;
          }
          endpos = array.length;
          startpos = pos;
          newitem = array[pos];
          childpos = 2 * pos + 1;
          while (childpos < endpos) {
            rightpos = childpos + 1;
            if (rightpos < endpos && !(cmp(array[childpos], array[rightpos]) < 0)) {
              childpos = rightpos;
            }
            array[pos] = array[childpos];
            pos = childpos;
            childpos = 2 * pos + 1;
          }
          array[pos] = newitem;
          return _siftdown(array, startpos, pos, cmp);
        };
        Heap6 = (function() {
          Heap7.push = heappush;
          Heap7.pop = heappop;
          Heap7.replace = heapreplace;
          Heap7.pushpop = heappushpop;
          Heap7.heapify = heapify;
          Heap7.updateItem = updateItem;
          Heap7.nlargest = nlargest;
          Heap7.nsmallest = nsmallest;
          function Heap7(cmp) {
            this.cmp = cmp != null ? cmp : defaultCmp;
            this.nodes = [];
          }
          Heap7.prototype.push = function(x) {
            return heappush(this.nodes, x, this.cmp);
          };
          Heap7.prototype.pop = function() {
            return heappop(this.nodes, this.cmp);
          };
          Heap7.prototype.peek = function() {
            return this.nodes[0];
          };
          Heap7.prototype.contains = function(x) {
            return this.nodes.indexOf(x) !== -1;
          };
          Heap7.prototype.replace = function(x) {
            return heapreplace(this.nodes, x, this.cmp);
          };
          Heap7.prototype.pushpop = function(x) {
            return heappushpop(this.nodes, x, this.cmp);
          };
          Heap7.prototype.heapify = function() {
            return heapify(this.nodes, this.cmp);
          };
          Heap7.prototype.updateItem = function(x) {
            return updateItem(this.nodes, x, this.cmp);
          };
          Heap7.prototype.clear = function() {
            return this.nodes = [];
          };
          Heap7.prototype.empty = function() {
            return this.nodes.length === 0;
          };
          Heap7.prototype.size = function() {
            return this.nodes.length;
          };
          Heap7.prototype.clone = function() {
            var heap;
            heap = new Heap7();
            heap.nodes = this.nodes.slice(0);
            return heap;
          };
          Heap7.prototype.toArray = function() {
            return this.nodes.slice(0);
          };
          Heap7.prototype.insert = Heap7.prototype.push;
          Heap7.prototype.top = Heap7.prototype.peek;
          Heap7.prototype.front = Heap7.prototype.peek;
          Heap7.prototype.has = Heap7.prototype.contains;
          Heap7.prototype.copy = Heap7.prototype.clone;
          return Heap7;
        })();
        (function(root, factory) {
          if (typeof define === "function" && define.amd) {
            return define([], factory);
          } else if (typeof exports === "object") {
            return module.exports = factory();
          } else {
            return root.Heap = factory();
          }
        })(this, function() {
          return Heap6;
        });
      }).call(exports);
    }
  });

  // node_modules/heap/index.js
  var require_heap2 = __commonJS({
    "node_modules/heap/index.js"(exports, module) {
      module.exports = require_heap();
    }
  });

  // node_modules/lz4js/util.js
  var require_util = __commonJS({
    "node_modules/lz4js/util.js"(exports) {
      exports.hashU32 = function hashU32(a) {
        a = a | 0;
        a = a + 2127912214 + (a << 12) | 0;
        a = a ^ -949894596 ^ a >>> 19;
        a = a + 374761393 + (a << 5) | 0;
        a = a + -744332180 ^ a << 9;
        a = a + -42973499 + (a << 3) | 0;
        return a ^ -1252372727 ^ a >>> 16 | 0;
      };
      exports.readU64 = function readU64(b, n) {
        var x = 0;
        x |= b[n++] << 0;
        x |= b[n++] << 8;
        x |= b[n++] << 16;
        x |= b[n++] << 24;
        x |= b[n++] << 32;
        x |= b[n++] << 40;
        x |= b[n++] << 48;
        x |= b[n++] << 56;
        return x;
      };
      exports.readU32 = function readU32(b, n) {
        var x = 0;
        x |= b[n++] << 0;
        x |= b[n++] << 8;
        x |= b[n++] << 16;
        x |= b[n++] << 24;
        return x;
      };
      exports.writeU32 = function writeU32(b, n, x) {
        b[n++] = x >> 0 & 255;
        b[n++] = x >> 8 & 255;
        b[n++] = x >> 16 & 255;
        b[n++] = x >> 24 & 255;
      };
      exports.imul = function imul(a, b) {
        var ah = a >>> 16;
        var al = a & 65535;
        var bh = b >>> 16;
        var bl = b & 65535;
        return al * bl + (ah * bl + al * bh << 16) | 0;
      };
    }
  });

  // node_modules/lz4js/xxh32.js
  var require_xxh32 = __commonJS({
    "node_modules/lz4js/xxh32.js"(exports) {
      var util = require_util();
      var prime1 = 2654435761;
      var prime2 = 2246822519;
      var prime3 = 3266489917;
      var prime4 = 668265263;
      var prime5 = 374761393;
      function rotl32(x, r) {
        x = x | 0;
        r = r | 0;
        return x >>> (32 - r | 0) | x << r | 0;
      }
      function rotmul32(h2, r, m) {
        h2 = h2 | 0;
        r = r | 0;
        m = m | 0;
        return util.imul(h2 >>> (32 - r | 0) | h2 << r, m) | 0;
      }
      function shiftxor32(h2, s) {
        h2 = h2 | 0;
        s = s | 0;
        return h2 >>> s ^ h2 | 0;
      }
      function xxhapply(h2, src, m0, s, m1) {
        return rotmul32(util.imul(src, m0) + h2, s, m1);
      }
      function xxh1(h2, src, index) {
        return rotmul32(h2 + util.imul(src[index], prime5), 11, prime1);
      }
      function xxh4(h2, src, index) {
        return xxhapply(h2, util.readU32(src, index), prime3, 17, prime4);
      }
      function xxh16(h2, src, index) {
        return [
          xxhapply(h2[0], util.readU32(src, index + 0), prime2, 13, prime1),
          xxhapply(h2[1], util.readU32(src, index + 4), prime2, 13, prime1),
          xxhapply(h2[2], util.readU32(src, index + 8), prime2, 13, prime1),
          xxhapply(h2[3], util.readU32(src, index + 12), prime2, 13, prime1)
        ];
      }
      function xxh32(seed, src, index, len) {
        var h2, l;
        l = len;
        if (len >= 16) {
          h2 = [
            seed + prime1 + prime2,
            seed + prime2,
            seed,
            seed - prime1
          ];
          while (len >= 16) {
            h2 = xxh16(h2, src, index);
            index += 16;
            len -= 16;
          }
          h2 = rotl32(h2[0], 1) + rotl32(h2[1], 7) + rotl32(h2[2], 12) + rotl32(h2[3], 18) + l;
        } else {
          h2 = seed + prime5 + len >>> 0;
        }
        while (len >= 4) {
          h2 = xxh4(h2, src, index);
          index += 4;
          len -= 4;
        }
        while (len > 0) {
          h2 = xxh1(h2, src, index);
          index++;
          len--;
        }
        h2 = shiftxor32(util.imul(shiftxor32(util.imul(shiftxor32(h2, 15), prime2), 13), prime3), 16);
        return h2 >>> 0;
      }
      exports.hash = xxh32;
    }
  });

  // node_modules/lz4js/lz4.js
  var require_lz4 = __commonJS({
    "node_modules/lz4js/lz4.js"(exports) {
      var xxhash = require_xxh32();
      var util = require_util();
      var minMatch = 4;
      var minLength = 13;
      var searchLimit = 5;
      var skipTrigger = 6;
      var hashSize = 1 << 16;
      var mlBits = 4;
      var mlMask = (1 << mlBits) - 1;
      var runBits = 4;
      var runMask = (1 << runBits) - 1;
      var blockBuf = makeBuffer(5 << 20);
      var hashTable = makeHashTable();
      var magicNum = 407708164;
      var fdContentChksum = 4;
      var fdContentSize = 8;
      var fdBlockChksum = 16;
      var fdVersion = 64;
      var fdVersionMask = 192;
      var bsUncompressed = 2147483648;
      var bsDefault = 7;
      var bsShift = 4;
      var bsMask = 7;
      var bsMap = {
        4: 65536,
        5: 262144,
        6: 1048576,
        7: 4194304
      };
      function makeHashTable() {
        try {
          return new Uint32Array(hashSize);
        } catch (error) {
          var hashTable2 = new Array(hashSize);
          for (var i = 0; i < hashSize; i++) {
            hashTable2[i] = 0;
          }
          return hashTable2;
        }
      }
      function clearHashTable(table) {
        for (var i = 0; i < hashSize; i++) {
          hashTable[i] = 0;
        }
      }
      function makeBuffer(size) {
        try {
          return new Uint8Array(size);
        } catch (error) {
          var buf = new Array(size);
          for (var i = 0; i < size; i++) {
            buf[i] = 0;
          }
          return buf;
        }
      }
      function sliceArray(array, start, end) {
        if (typeof array.buffer !== void 0) {
          if (Uint8Array.prototype.slice) {
            return array.slice(start, end);
          } else {
            var len = array.length;
            start = start | 0;
            start = start < 0 ? Math.max(len + start, 0) : Math.min(start, len);
            end = end === void 0 ? len : end | 0;
            end = end < 0 ? Math.max(len + end, 0) : Math.min(end, len);
            var arraySlice = new Uint8Array(end - start);
            for (var i = start, n = 0; i < end; ) {
              arraySlice[n++] = array[i++];
            }
            return arraySlice;
          }
        } else {
          return array.slice(start, end);
        }
      }
      exports.compressBound = function compressBound(n) {
        return n + n / 255 + 16 | 0;
      };
      exports.decompressBound = function decompressBound(src) {
        var sIndex = 0;
        if (util.readU32(src, sIndex) !== magicNum) {
          throw new Error("invalid magic number");
        }
        sIndex += 4;
        var descriptor = src[sIndex++];
        if ((descriptor & fdVersionMask) !== fdVersion) {
          throw new Error("incompatible descriptor version " + (descriptor & fdVersionMask));
        }
        var useBlockSum = (descriptor & fdBlockChksum) !== 0;
        var useContentSize = (descriptor & fdContentSize) !== 0;
        var bsIdx = src[sIndex++] >> bsShift & bsMask;
        if (bsMap[bsIdx] === void 0) {
          throw new Error("invalid block size " + bsIdx);
        }
        var maxBlockSize = bsMap[bsIdx];
        if (useContentSize) {
          return util.readU64(src, sIndex);
        }
        sIndex++;
        var maxSize = 0;
        while (true) {
          var blockSize = util.readU32(src, sIndex);
          sIndex += 4;
          if (blockSize & bsUncompressed) {
            blockSize &= ~bsUncompressed;
            maxSize += blockSize;
          } else {
            maxSize += maxBlockSize;
          }
          if (blockSize === 0) {
            return maxSize;
          }
          if (useBlockSum) {
            sIndex += 4;
          }
          sIndex += blockSize;
        }
      };
      exports.makeBuffer = makeBuffer;
      exports.decompressBlock = function decompressBlock(src, dst, sIndex, sLength, dIndex) {
        var mLength, mOffset, sEnd, n, i;
        sEnd = sIndex + sLength;
        while (sIndex < sEnd) {
          var token = src[sIndex++];
          var literalCount = token >> 4;
          if (literalCount > 0) {
            if (literalCount === 15) {
              while (true) {
                literalCount += src[sIndex];
                if (src[sIndex++] !== 255) {
                  break;
                }
              }
            }
            for (n = sIndex + literalCount; sIndex < n; ) {
              dst[dIndex++] = src[sIndex++];
            }
          }
          if (sIndex >= sEnd) {
            break;
          }
          mLength = token & 15;
          mOffset = src[sIndex++] | src[sIndex++] << 8;
          if (mLength === 15) {
            while (true) {
              mLength += src[sIndex];
              if (src[sIndex++] !== 255) {
                break;
              }
            }
          }
          mLength += minMatch;
          for (i = dIndex - mOffset, n = i + mLength; i < n; ) {
            dst[dIndex++] = dst[i++] | 0;
          }
        }
        return dIndex;
      };
      exports.compressBlock = function compressBlock(src, dst, sIndex, sLength, hashTable2) {
        var mIndex, mAnchor, mLength, mOffset, mStep;
        var literalCount, dIndex, sEnd, n;
        dIndex = 0;
        sEnd = sLength + sIndex;
        mAnchor = sIndex;
        if (sLength >= minLength) {
          var searchMatchCount = (1 << skipTrigger) + 3;
          while (sIndex + minMatch < sEnd - searchLimit) {
            var seq = util.readU32(src, sIndex);
            var hash = util.hashU32(seq) >>> 0;
            hash = (hash >> 16 ^ hash) >>> 0 & 65535;
            mIndex = hashTable2[hash] - 1;
            hashTable2[hash] = sIndex + 1;
            if (mIndex < 0 || sIndex - mIndex >>> 16 > 0 || util.readU32(src, mIndex) !== seq) {
              mStep = searchMatchCount++ >> skipTrigger;
              sIndex += mStep;
              continue;
            }
            searchMatchCount = (1 << skipTrigger) + 3;
            literalCount = sIndex - mAnchor;
            mOffset = sIndex - mIndex;
            sIndex += minMatch;
            mIndex += minMatch;
            mLength = sIndex;
            while (sIndex < sEnd - searchLimit && src[sIndex] === src[mIndex]) {
              sIndex++;
              mIndex++;
            }
            mLength = sIndex - mLength;
            var token = mLength < mlMask ? mLength : mlMask;
            if (literalCount >= runMask) {
              dst[dIndex++] = (runMask << mlBits) + token;
              for (n = literalCount - runMask; n >= 255; n -= 255) {
                dst[dIndex++] = 255;
              }
              dst[dIndex++] = n;
            } else {
              dst[dIndex++] = (literalCount << mlBits) + token;
            }
            for (var i = 0; i < literalCount; i++) {
              dst[dIndex++] = src[mAnchor + i];
            }
            dst[dIndex++] = mOffset;
            dst[dIndex++] = mOffset >> 8;
            if (mLength >= mlMask) {
              for (n = mLength - mlMask; n >= 255; n -= 255) {
                dst[dIndex++] = 255;
              }
              dst[dIndex++] = n;
            }
            mAnchor = sIndex;
          }
        }
        if (mAnchor === 0) {
          return 0;
        }
        literalCount = sEnd - mAnchor;
        if (literalCount >= runMask) {
          dst[dIndex++] = runMask << mlBits;
          for (n = literalCount - runMask; n >= 255; n -= 255) {
            dst[dIndex++] = 255;
          }
          dst[dIndex++] = n;
        } else {
          dst[dIndex++] = literalCount << mlBits;
        }
        sIndex = mAnchor;
        while (sIndex < sEnd) {
          dst[dIndex++] = src[sIndex++];
        }
        return dIndex;
      };
      exports.decompressFrame = function decompressFrame(src, dst) {
        var useBlockSum, useContentSum, useContentSize, descriptor;
        var sIndex = 0;
        var dIndex = 0;
        if (util.readU32(src, sIndex) !== magicNum) {
          throw new Error("invalid magic number");
        }
        sIndex += 4;
        descriptor = src[sIndex++];
        if ((descriptor & fdVersionMask) !== fdVersion) {
          throw new Error("incompatible descriptor version");
        }
        useBlockSum = (descriptor & fdBlockChksum) !== 0;
        useContentSum = (descriptor & fdContentChksum) !== 0;
        useContentSize = (descriptor & fdContentSize) !== 0;
        var bsIdx = src[sIndex++] >> bsShift & bsMask;
        if (bsMap[bsIdx] === void 0) {
          throw new Error("invalid block size");
        }
        if (useContentSize) {
          sIndex += 8;
        }
        sIndex++;
        while (true) {
          var compSize;
          compSize = util.readU32(src, sIndex);
          sIndex += 4;
          if (compSize === 0) {
            break;
          }
          if (useBlockSum) {
            sIndex += 4;
          }
          if ((compSize & bsUncompressed) !== 0) {
            compSize &= ~bsUncompressed;
            for (var j = 0; j < compSize; j++) {
              dst[dIndex++] = src[sIndex++];
            }
          } else {
            dIndex = exports.decompressBlock(src, dst, sIndex, compSize, dIndex);
            sIndex += compSize;
          }
        }
        if (useContentSum) {
          sIndex += 4;
        }
        return dIndex;
      };
      exports.compressFrame = function compressFrame(src, dst) {
        var dIndex = 0;
        util.writeU32(dst, dIndex, magicNum);
        dIndex += 4;
        dst[dIndex++] = fdVersion;
        dst[dIndex++] = bsDefault << bsShift;
        dst[dIndex] = xxhash.hash(0, dst, 4, dIndex - 4) >> 8;
        dIndex++;
        var maxBlockSize = bsMap[bsDefault];
        var remaining = src.length;
        var sIndex = 0;
        clearHashTable(hashTable);
        while (remaining > 0) {
          var compSize = 0;
          var blockSize = remaining > maxBlockSize ? maxBlockSize : remaining;
          compSize = exports.compressBlock(src, blockBuf, sIndex, blockSize, hashTable);
          if (compSize > blockSize || compSize === 0) {
            util.writeU32(dst, dIndex, 2147483648 | blockSize);
            dIndex += 4;
            for (var z = sIndex + blockSize; sIndex < z; ) {
              dst[dIndex++] = src[sIndex++];
            }
            remaining -= blockSize;
          } else {
            util.writeU32(dst, dIndex, compSize);
            dIndex += 4;
            for (var j = 0; j < compSize; ) {
              dst[dIndex++] = blockBuf[j++];
            }
            sIndex += blockSize;
            remaining -= blockSize;
          }
        }
        util.writeU32(dst, dIndex, 0);
        dIndex += 4;
        return dIndex;
      };
      exports.decompress = function decompress(src, maxSize) {
        var dst, size;
        if (maxSize === void 0) {
          maxSize = exports.decompressBound(src);
        }
        dst = exports.makeBuffer(maxSize);
        size = exports.decompressFrame(src, dst);
        if (size !== maxSize) {
          dst = sliceArray(dst, 0, size);
        }
        return dst;
      };
      exports.compress = function compress(src, maxSize) {
        var dst, size;
        if (maxSize === void 0) {
          maxSize = exports.compressBound(src.length);
        }
        dst = exports.makeBuffer(maxSize);
        size = exports.compressFrame(src, dst);
        if (size !== maxSize) {
          dst = sliceArray(dst, 0, size);
        }
        return dst;
      };
    }
  });

  // node_modules/@foxglove/cdr/dist/EncapsulationKind.js
  var require_EncapsulationKind = __commonJS({
    "node_modules/@foxglove/cdr/dist/EncapsulationKind.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.EncapsulationKind = void 0;
      var EncapsulationKind;
      (function(EncapsulationKind2) {
        EncapsulationKind2[EncapsulationKind2["CDR_BE"] = 0] = "CDR_BE";
        EncapsulationKind2[EncapsulationKind2["CDR_LE"] = 1] = "CDR_LE";
        EncapsulationKind2[EncapsulationKind2["PL_CDR_BE"] = 2] = "PL_CDR_BE";
        EncapsulationKind2[EncapsulationKind2["PL_CDR_LE"] = 3] = "PL_CDR_LE";
        EncapsulationKind2[EncapsulationKind2["CDR2_BE"] = 16] = "CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["CDR2_LE"] = 17] = "CDR2_LE";
        EncapsulationKind2[EncapsulationKind2["PL_CDR2_BE"] = 18] = "PL_CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["PL_CDR2_LE"] = 19] = "PL_CDR2_LE";
        EncapsulationKind2[EncapsulationKind2["DELIMITED_CDR2_BE"] = 20] = "DELIMITED_CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["DELIMITED_CDR2_LE"] = 21] = "DELIMITED_CDR2_LE";
        EncapsulationKind2[EncapsulationKind2["RTPS_CDR2_BE"] = 6] = "RTPS_CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["RTPS_CDR2_LE"] = 7] = "RTPS_CDR2_LE";
        EncapsulationKind2[EncapsulationKind2["RTPS_DELIMITED_CDR2_BE"] = 8] = "RTPS_DELIMITED_CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["RTPS_DELIMITED_CDR2_LE"] = 9] = "RTPS_DELIMITED_CDR2_LE";
        EncapsulationKind2[EncapsulationKind2["RTPS_PL_CDR2_BE"] = 10] = "RTPS_PL_CDR2_BE";
        EncapsulationKind2[EncapsulationKind2["RTPS_PL_CDR2_LE"] = 11] = "RTPS_PL_CDR2_LE";
      })(EncapsulationKind = exports.EncapsulationKind || (exports.EncapsulationKind = {}));
    }
  });

  // node_modules/@foxglove/cdr/dist/getEncapsulationKindInfo.js
  var require_getEncapsulationKindInfo = __commonJS({
    "node_modules/@foxglove/cdr/dist/getEncapsulationKindInfo.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.getEncapsulationKindInfo = void 0;
      var EncapsulationKind_1 = require_EncapsulationKind();
      var getEncapsulationKindInfo = (kind) => {
        const isCDR2 = kind > EncapsulationKind_1.EncapsulationKind.PL_CDR_LE;
        const littleEndian = kind === EncapsulationKind_1.EncapsulationKind.CDR_LE || kind === EncapsulationKind_1.EncapsulationKind.PL_CDR_LE || kind === EncapsulationKind_1.EncapsulationKind.CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.PL_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.DELIMITED_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_PL_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_DELIMITED_CDR2_LE;
        const isDelimitedCDR2 = kind === EncapsulationKind_1.EncapsulationKind.DELIMITED_CDR2_BE || kind === EncapsulationKind_1.EncapsulationKind.DELIMITED_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_DELIMITED_CDR2_BE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_DELIMITED_CDR2_LE;
        const isPLCDR2 = kind === EncapsulationKind_1.EncapsulationKind.PL_CDR2_BE || kind === EncapsulationKind_1.EncapsulationKind.PL_CDR2_LE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_PL_CDR2_BE || kind === EncapsulationKind_1.EncapsulationKind.RTPS_PL_CDR2_LE;
        const isPLCDR1 = kind === EncapsulationKind_1.EncapsulationKind.PL_CDR_BE || kind === EncapsulationKind_1.EncapsulationKind.PL_CDR_LE;
        const usesDelimiterHeader = isDelimitedCDR2 || isPLCDR2;
        const usesMemberHeader = isPLCDR2 || isPLCDR1;
        return {
          isCDR2,
          littleEndian,
          usesDelimiterHeader,
          usesMemberHeader
        };
      };
      exports.getEncapsulationKindInfo = getEncapsulationKindInfo;
    }
  });

  // node_modules/@foxglove/cdr/dist/isBigEndian.js
  var require_isBigEndian = __commonJS({
    "node_modules/@foxglove/cdr/dist/isBigEndian.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.isBigEndian = void 0;
      var endianTestArray = new Uint8Array(4);
      var endianTestView = new Uint32Array(endianTestArray.buffer);
      endianTestView[0] = 1;
      function isBigEndian() {
        return endianTestArray[3] === 1;
      }
      exports.isBigEndian = isBigEndian;
    }
  });

  // node_modules/@foxglove/cdr/dist/lengthCodes.js
  var require_lengthCodes = __commonJS({
    "node_modules/@foxglove/cdr/dist/lengthCodes.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.lengthCodeToObjectSizes = exports.getLengthCodeForObjectSize = void 0;
      function getLengthCodeForObjectSize(objectSize) {
        let defaultLengthCode;
        switch (objectSize) {
          case 1:
            defaultLengthCode = 0;
            break;
          case 2:
            defaultLengthCode = 1;
            break;
          case 4:
            defaultLengthCode = 2;
            break;
          case 8:
            defaultLengthCode = 3;
            break;
        }
        if (defaultLengthCode == void 0) {
          if (objectSize > 4294967295) {
            throw Error(`Object size ${objectSize} for EMHEADER too large without specifying length code. Max size is ${4294967295}`);
          }
          defaultLengthCode = 4;
        }
        return defaultLengthCode;
      }
      exports.getLengthCodeForObjectSize = getLengthCodeForObjectSize;
      exports.lengthCodeToObjectSizes = {
        0: 1,
        1: 2,
        2: 4,
        3: 8
      };
    }
  });

  // node_modules/@foxglove/cdr/dist/reservedPIDs.js
  var require_reservedPIDs = __commonJS({
    "node_modules/@foxglove/cdr/dist/reservedPIDs.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.SENTINEL_PID = exports.EXTENDED_PID = void 0;
      exports.EXTENDED_PID = 16129;
      exports.SENTINEL_PID = 16130;
    }
  });

  // node_modules/@foxglove/cdr/dist/CdrReader.js
  var require_CdrReader = __commonJS({
    "node_modules/@foxglove/cdr/dist/CdrReader.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.CdrReader = void 0;
      var getEncapsulationKindInfo_1 = require_getEncapsulationKindInfo();
      var isBigEndian_1 = require_isBigEndian();
      var lengthCodes_1 = require_lengthCodes();
      var reservedPIDs_1 = require_reservedPIDs();
      var textDecoder2 = new TextDecoder("utf8");
      var CdrReader = class _CdrReader {
        constructor(data) {
          this.origin = 0;
          if (data.byteLength < 4) {
            throw new Error(`Invalid CDR data size ${data.byteLength}, must contain at least a 4-byte header`);
          }
          this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
          const kind = this.kind;
          const { isCDR2, littleEndian, usesDelimiterHeader, usesMemberHeader } = (0, getEncapsulationKindInfo_1.getEncapsulationKindInfo)(kind);
          this.usesDelimiterHeader = usesDelimiterHeader;
          this.usesMemberHeader = usesMemberHeader;
          this.littleEndian = littleEndian;
          this.hostLittleEndian = !(0, isBigEndian_1.isBigEndian)();
          this.isCDR2 = isCDR2;
          this.eightByteAlignment = isCDR2 ? 4 : 8;
          this.origin = 4;
          this.offset = 4;
        }
        get kind() {
          return this.view.getUint8(1);
        }
        get decodedBytes() {
          return this.offset;
        }
        get byteLength() {
          return this.view.byteLength;
        }
        int8() {
          const value = this.view.getInt8(this.offset);
          this.offset += 1;
          return value;
        }
        uint8() {
          const value = this.view.getUint8(this.offset);
          this.offset += 1;
          return value;
        }
        int16() {
          this.align(2);
          const value = this.view.getInt16(this.offset, this.littleEndian);
          this.offset += 2;
          return value;
        }
        uint16() {
          this.align(2);
          const value = this.view.getUint16(this.offset, this.littleEndian);
          this.offset += 2;
          return value;
        }
        int32() {
          this.align(4);
          const value = this.view.getInt32(this.offset, this.littleEndian);
          this.offset += 4;
          return value;
        }
        uint32() {
          this.align(4);
          const value = this.view.getUint32(this.offset, this.littleEndian);
          this.offset += 4;
          return value;
        }
        int64() {
          this.align(this.eightByteAlignment);
          const value = this.view.getBigInt64(this.offset, this.littleEndian);
          this.offset += 8;
          return value;
        }
        uint64() {
          this.align(this.eightByteAlignment);
          const value = this.view.getBigUint64(this.offset, this.littleEndian);
          this.offset += 8;
          return value;
        }
        uint16BE() {
          this.align(2);
          const value = this.view.getUint16(this.offset, false);
          this.offset += 2;
          return value;
        }
        uint32BE() {
          this.align(4);
          const value = this.view.getUint32(this.offset, false);
          this.offset += 4;
          return value;
        }
        uint64BE() {
          this.align(this.eightByteAlignment);
          const value = this.view.getBigUint64(this.offset, false);
          this.offset += 8;
          return value;
        }
        float32() {
          this.align(4);
          const value = this.view.getFloat32(this.offset, this.littleEndian);
          this.offset += 4;
          return value;
        }
        float64() {
          this.align(this.eightByteAlignment);
          const value = this.view.getFloat64(this.offset, this.littleEndian);
          this.offset += 8;
          return value;
        }
        string(prereadLength) {
          const length = prereadLength ?? this.uint32();
          if (length <= 1) {
            this.offset += length;
            return "";
          }
          const data = new Uint8Array(this.view.buffer, this.view.byteOffset + this.offset, length - 1);
          const value = textDecoder2.decode(data);
          this.offset += length;
          return value;
        }
        /** Reads the delimiter header which contains and returns the object size */
        dHeader() {
          const header = this.uint32();
          return header;
        }
        /**
         * Reads the member header (EMHEADER) and returns the member ID, mustUnderstand flag, and object size with optional length code
         * The length code is only present in CDR2 and should prompt objectSize to be used in place of sequence length if applicable.
         * See Extensible and Dynamic Topic Types (DDS-XTypes) v1.3 @ `7.4.3.4.2` for more info about CDR2 EMHEADER composition.
         * If a sentinelHeader was read (PL_CDR v1), the readSentinelHeader flag is set to true.
         */
        emHeader() {
          if (this.isCDR2) {
            return this.memberHeaderV2();
          } else {
            return this.memberHeaderV1();
          }
        }
        /** XCDR1 PL_CDR encapsulation parameter header*/
        memberHeaderV1() {
          this.align(4);
          const idHeader = this.uint16();
          const mustUnderstandFlag = (idHeader & 16384) >> 14 === 1;
          const implementationSpecificFlag = (idHeader & 32768) >> 15 === 1;
          const extendedPIDFlag = (idHeader & 16383) === reservedPIDs_1.EXTENDED_PID;
          const sentinelPIDFlag = (idHeader & 16383) === reservedPIDs_1.SENTINEL_PID;
          if (sentinelPIDFlag) {
            this.uint16();
            return { id: reservedPIDs_1.SENTINEL_PID, objectSize: 0, mustUnderstand: false, readSentinelHeader: true };
          }
          const usesReservedParameterId = (idHeader & 16383) > reservedPIDs_1.SENTINEL_PID;
          if (usesReservedParameterId || implementationSpecificFlag) {
            throw new Error(`Unsupported parameter ID header ${idHeader.toString(16)}`);
          }
          if (extendedPIDFlag) {
            this.uint16();
          }
          const id = extendedPIDFlag ? this.uint32() : idHeader & 16383;
          const objectSize = extendedPIDFlag ? this.uint32() : this.uint16();
          this.resetOrigin();
          return { id, objectSize, mustUnderstand: mustUnderstandFlag };
        }
        /** Sets the origin to the offset (DDS-XTypes Spec: `PUSH(ORIGIN = 0)`)*/
        resetOrigin() {
          this.origin = this.offset;
        }
        /** Reads boolean flag for optional members in CDR2
         * Will throw an error if called for CDR1.
         */
        isPresentFlag() {
          if (!this.isCDR2) {
            throw new Error("isPresentFlag is only supported for CDR2");
          }
          const isPresent = Boolean(this.uint8());
          return isPresent;
        }
        /** Reads the PID_SENTINEL value if encapsulation kind supports it (PL_CDR version 1)
         * @returns true if the sentinel header was read, false otherwise
         */
        sentinelHeader() {
          if (!this.isCDR2) {
            this.align(4);
            const header = this.uint16();
            const sentinelPIDFlag = (header & 16383) === reservedPIDs_1.SENTINEL_PID;
            if (!sentinelPIDFlag) {
              return false;
            }
            this.uint16();
            return true;
          } else {
            return false;
          }
        }
        memberHeaderV2() {
          const header = this.uint32();
          const mustUnderstand = Math.abs((header & 2147483648) >> 31) === 1;
          const lengthCode = (header & 1879048192) >> 28;
          const id = header & 268435455;
          const objectSize = this.emHeaderObjectSize(lengthCode);
          return { mustUnderstand, id, objectSize, lengthCode };
        }
        /** Uses the length code to derive the member object size in
         * the EMHEADER, sometimes reading NEXTINT (the next uint32
         * following the header) from the buffer */
        emHeaderObjectSize(lengthCode) {
          switch (lengthCode) {
            case 0:
            case 1:
            case 2:
            case 3:
              return lengthCodes_1.lengthCodeToObjectSizes[lengthCode];
            // LC > 3 -> NEXTINT exists after header
            case 4:
            case 5:
              return this.uint32();
            case 6:
              return 4 * this.uint32();
            case 7:
              return 8 * this.uint32();
            default:
              throw new Error(
                // eslint-disable-next-line @typescript-eslint/restrict-template-expressions
                `Invalid length code ${lengthCode} in EMHEADER at offset ${this.offset - 4}`
              );
          }
        }
        sequenceLength() {
          return this.uint32();
        }
        int8Array(count = this.sequenceLength()) {
          const array = new Int8Array(this.view.buffer, this.view.byteOffset + this.offset, count);
          this.offset += count;
          return array;
        }
        uint8Array(count = this.sequenceLength()) {
          const array = new Uint8Array(this.view.buffer, this.view.byteOffset + this.offset, count);
          this.offset += count;
          return array;
        }
        int16Array(count = this.sequenceLength()) {
          return this.typedArray(Int16Array, "getInt16", count);
        }
        uint16Array(count = this.sequenceLength()) {
          return this.typedArray(Uint16Array, "getUint16", count);
        }
        int32Array(count = this.sequenceLength()) {
          return this.typedArray(Int32Array, "getInt32", count);
        }
        uint32Array(count = this.sequenceLength()) {
          return this.typedArray(Uint32Array, "getUint32", count);
        }
        int64Array(count = this.sequenceLength()) {
          return this.typedArray(BigInt64Array, "getBigInt64", count, this.eightByteAlignment);
        }
        uint64Array(count = this.sequenceLength()) {
          return this.typedArray(BigUint64Array, "getBigUint64", count, this.eightByteAlignment);
        }
        float32Array(count = this.sequenceLength()) {
          return this.typedArray(Float32Array, "getFloat32", count);
        }
        float64Array(count = this.sequenceLength()) {
          return this.typedArray(Float64Array, "getFloat64", count, this.eightByteAlignment);
        }
        stringArray(count = this.sequenceLength()) {
          const output = [];
          for (let i = 0; i < count; i++) {
            output.push(this.string());
          }
          return output;
        }
        /**
         * Seek the current read pointer a number of bytes relative to the current position. Note that
         * seeking before the four-byte header is invalid
         * @param relativeOffset A positive or negative number of bytes to seek
         */
        seek(relativeOffset) {
          const newOffset = this.offset + relativeOffset;
          if (newOffset < 4 || newOffset > this.view.byteLength) {
            throw new Error(`seek(${relativeOffset}) failed, ${newOffset} is outside the data range`);
          }
          this.offset = newOffset;
        }
        /**
         * Seek to an absolute byte position in the data. Note that seeking before the four-byte header is
         * invalid
         * @param offset An absolute byte offset in the range of [4-byteLength)
         */
        seekTo(offset) {
          if (offset < 4 || offset > this.view.byteLength) {
            throw new Error(`seekTo(${offset}) failed, value is outside the data range`);
          }
          this.offset = offset;
        }
        /**
         * Duplicate this reader. The underlying buffer is reused and not copied.
         */
        clone() {
          const clone = new _CdrReader(this.view);
          clone.offset = this.offset;
          clone.origin = this.origin;
          return clone;
        }
        /**
         * Limit the reader to a given number of bytes.
         * @param length The number of bytes to limit the reader to.
         */
        limit(length) {
          const newByteLength = this.offset + length;
          if (newByteLength <= this.view.byteLength) {
            this.view = new DataView(this.view.buffer, this.view.byteOffset, newByteLength);
          } else {
            throw new RangeError(`length ${length} exceeds byte length of view`);
          }
        }
        /**
         * Returns `true` if the reader is at the end of the buffer, or `false` otherwise.
         */
        isAtEnd() {
          return this.offset >= this.view.byteLength;
        }
        align(size) {
          const alignment = (this.offset - this.origin) % size;
          if (alignment > 0) {
            this.offset += size - alignment;
          }
        }
        // Reads a given count of numeric values into a typed array.
        typedArray(TypedArrayConstructor, getter, count, alignment = TypedArrayConstructor.BYTES_PER_ELEMENT) {
          if (count === 0) {
            return new TypedArrayConstructor();
          }
          this.align(alignment);
          const totalOffset = this.view.byteOffset + this.offset;
          if (this.littleEndian !== this.hostLittleEndian) {
            return this.typedArraySlow(TypedArrayConstructor, getter, count);
          } else if (totalOffset % TypedArrayConstructor.BYTES_PER_ELEMENT === 0) {
            const array = new TypedArrayConstructor(this.view.buffer, totalOffset, count);
            this.offset += TypedArrayConstructor.BYTES_PER_ELEMENT * count;
            return array;
          } else {
            return this.typedArrayUnaligned(TypedArrayConstructor, getter, count);
          }
        }
        typedArrayUnaligned(TypedArrayConstructor, getter, count) {
          if (count < 10) {
            return this.typedArraySlow(TypedArrayConstructor, getter, count);
          }
          const byteLength = TypedArrayConstructor.BYTES_PER_ELEMENT * count;
          const copy = new Uint8Array(byteLength);
          copy.set(new Uint8Array(this.view.buffer, this.view.byteOffset + this.offset, byteLength));
          this.offset += byteLength;
          return new TypedArrayConstructor(copy.buffer, copy.byteOffset, count);
        }
        typedArraySlow(TypedArrayConstructor, getter, count) {
          const array = new TypedArrayConstructor(count);
          let offset = this.offset;
          for (let i = 0; i < count; i++) {
            array[i] = this.view[getter](offset, this.littleEndian);
            offset += TypedArrayConstructor.BYTES_PER_ELEMENT;
          }
          this.offset = offset;
          return array;
        }
      };
      exports.CdrReader = CdrReader;
    }
  });

  // node_modules/@foxglove/cdr/dist/CdrSizeCalculator.js
  var require_CdrSizeCalculator = __commonJS({
    "node_modules/@foxglove/cdr/dist/CdrSizeCalculator.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.CdrSizeCalculator = void 0;
      var CdrSizeCalculator = class {
        constructor() {
          this.offset = 4;
        }
        get size() {
          return this.offset;
        }
        int8() {
          return this.incrementAndReturn(1);
        }
        uint8() {
          return this.incrementAndReturn(1);
        }
        int16() {
          return this.incrementAndReturn(2);
        }
        uint16() {
          return this.incrementAndReturn(2);
        }
        int32() {
          return this.incrementAndReturn(4);
        }
        uint32() {
          return this.incrementAndReturn(4);
        }
        int64() {
          return this.incrementAndReturn(8);
        }
        uint64() {
          return this.incrementAndReturn(8);
        }
        float32() {
          return this.incrementAndReturn(4);
        }
        float64() {
          return this.incrementAndReturn(8);
        }
        string(length) {
          this.uint32();
          this.offset += length + 1;
          return this.offset;
        }
        sequenceLength() {
          return this.uint32();
        }
        // Increments the offset by `byteCount` and any required padding bytes and
        // returns the new offset
        incrementAndReturn(byteCount) {
          const alignment = (this.offset - 4) % byteCount;
          if (alignment > 0) {
            this.offset += byteCount - alignment;
          }
          this.offset += byteCount;
          return this.offset;
        }
      };
      exports.CdrSizeCalculator = CdrSizeCalculator;
    }
  });

  // node_modules/@foxglove/cdr/dist/CdrWriter.js
  var require_CdrWriter = __commonJS({
    "node_modules/@foxglove/cdr/dist/CdrWriter.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.CdrWriter = void 0;
      var EncapsulationKind_1 = require_EncapsulationKind();
      var getEncapsulationKindInfo_1 = require_getEncapsulationKindInfo();
      var isBigEndian_1 = require_isBigEndian();
      var lengthCodes_1 = require_lengthCodes();
      var reservedPIDs_1 = require_reservedPIDs();
      var textEncoder = new TextEncoder();
      var CdrWriter = class _CdrWriter {
        constructor(options = {}) {
          if (options.buffer != void 0) {
            this.buffer = options.buffer;
          } else if (options.size != void 0) {
            this.buffer = new ArrayBuffer(options.size);
          } else {
            this.buffer = new ArrayBuffer(_CdrWriter.DEFAULT_CAPACITY);
          }
          const kind = options.kind ?? EncapsulationKind_1.EncapsulationKind.CDR_LE;
          const { isCDR2, littleEndian } = (0, getEncapsulationKindInfo_1.getEncapsulationKindInfo)(kind);
          this.isCDR2 = isCDR2;
          this.littleEndian = littleEndian;
          this.hostLittleEndian = !(0, isBigEndian_1.isBigEndian)();
          this.eightByteAlignment = isCDR2 ? 4 : 8;
          this.array = new Uint8Array(this.buffer);
          this.view = new DataView(this.buffer);
          this.resizeIfNeeded(4);
          this.view.setUint8(0, 0);
          this.view.setUint8(1, kind);
          this.view.setUint16(2, 0, false);
          this.offset = 4;
          this.origin = 4;
        }
        get data() {
          return new Uint8Array(this.buffer, 0, this.offset);
        }
        get size() {
          return this.offset;
        }
        get kind() {
          return this.view.getUint8(1);
        }
        int8(value) {
          this.resizeIfNeeded(1);
          this.view.setInt8(this.offset, value);
          this.offset += 1;
          return this;
        }
        uint8(value) {
          this.resizeIfNeeded(1);
          this.view.setUint8(this.offset, value);
          this.offset += 1;
          return this;
        }
        int16(value) {
          this.align(2);
          this.view.setInt16(this.offset, value, this.littleEndian);
          this.offset += 2;
          return this;
        }
        uint16(value) {
          this.align(2);
          this.view.setUint16(this.offset, value, this.littleEndian);
          this.offset += 2;
          return this;
        }
        int32(value) {
          this.align(4);
          this.view.setInt32(this.offset, value, this.littleEndian);
          this.offset += 4;
          return this;
        }
        uint32(value) {
          this.align(4);
          this.view.setUint32(this.offset, value, this.littleEndian);
          this.offset += 4;
          return this;
        }
        int64(value) {
          this.align(this.eightByteAlignment, 8);
          this.view.setBigInt64(this.offset, value, this.littleEndian);
          this.offset += 8;
          return this;
        }
        uint64(value) {
          this.align(this.eightByteAlignment, 8);
          this.view.setBigUint64(this.offset, value, this.littleEndian);
          this.offset += 8;
          return this;
        }
        uint16BE(value) {
          this.align(2);
          this.view.setUint16(this.offset, value, false);
          this.offset += 2;
          return this;
        }
        uint32BE(value) {
          this.align(4);
          this.view.setUint32(this.offset, value, false);
          this.offset += 4;
          return this;
        }
        uint64BE(value) {
          this.align(this.eightByteAlignment, 8);
          this.view.setBigUint64(this.offset, value, false);
          this.offset += 8;
          return this;
        }
        float32(value) {
          this.align(4);
          this.view.setFloat32(this.offset, value, this.littleEndian);
          this.offset += 4;
          return this;
        }
        float64(value) {
          this.align(this.eightByteAlignment, 8);
          this.view.setFloat64(this.offset, value, this.littleEndian);
          this.offset += 8;
          return this;
        }
        // writeLength optional because it could already be included in a header
        string(value, writeLength = true) {
          const strlen = value.length;
          if (writeLength) {
            this.uint32(strlen + 1);
          }
          this.resizeIfNeeded(strlen + 1);
          textEncoder.encodeInto(value, new Uint8Array(this.buffer, this.offset, strlen));
          this.view.setUint8(this.offset + strlen, 0);
          this.offset += strlen + 1;
          return this;
        }
        /** Writes the delimiter header using object size
         * NOTE: changing endian-ness with a single CDR message is not supported
         */
        dHeader(objectSize) {
          const header = objectSize;
          this.uint32(header);
          return this;
        }
        /**
         * Writes the member header (EMHEADER)
         * Accomodates for PL_CDR and PL_CDR2 based on the CdrWriter constructor options
         *
         * @param mustUnderstand - Whether the member is required to be understood by the receiver
         * @param id - The member ID
         * @param objectSize - The size of the member in bytes
         * @param lengthCode - Optional length code for CDR2 emHeaders.
         * lengthCode values [5-7] allow the emHeader object size to take the place of the normally encoded member length.
         *
         * NOTE: Dynamically determines default value if not provided that does not affect serialization ie will use lengthCode values [0-4].
         *
         * From Extensible and Dynamic Topic Types in DDS-XTypes v1.3 @ `7.4.3.4.2`:
         * "EMHEADER1 with LC values 5 to 7 also affect the serialization/deserialization virtual machine in that they cause NEXTINT to be
         * reused also as part of the serialized member. This is useful because the serialization of certain members also starts with an
         * integer length, which would take exactly the same value as NEXTINT. Therefore the use of length codes 5 to 7 saves 4 bytes in
         * the serialization."
         * @returns - CdrWriter instance
         */
        emHeader(mustUnderstand, id, objectSize, lengthCode) {
          return this.isCDR2 ? this.memberHeaderV2(mustUnderstand, id, objectSize, lengthCode) : this.memberHeaderV1(mustUnderstand, id, objectSize);
        }
        memberHeaderV1(mustUnderstand, id, objectSize) {
          this.align(4);
          const mustUnderstandFlag = mustUnderstand ? 1 << 14 : 0;
          const shouldUseExtendedPID = id > 16128 || objectSize > 65535;
          if (!shouldUseExtendedPID) {
            const idHeader = mustUnderstandFlag | id;
            this.uint16(idHeader);
            const objectSizeHeader = objectSize & 65535;
            this.uint16(objectSizeHeader);
          } else {
            const extendedHeader = mustUnderstandFlag | reservedPIDs_1.EXTENDED_PID;
            this.uint16(extendedHeader);
            this.uint16(8);
            this.uint32(id);
            this.uint32(objectSize);
          }
          this.resetOrigin();
          return this;
        }
        /** Sets the origin to the offset (DDS-XTypes Spec: `PUSH(ORIGIN = 0)`)*/
        resetOrigin() {
          this.origin = this.offset;
        }
        /** Writes boolean flag for optional members in CDR2
         * @throws Error if called for CDR1.
         */
        presentFlag(value) {
          if (!this.isCDR2) {
            throw new Error("presentFlag is only supported for CDR2");
          }
          this.uint8(value ? 1 : 0);
          return this;
        }
        /** Writes the PID_SENTINEL value if encapsulation supports it*/
        sentinelHeader() {
          if (!this.isCDR2) {
            this.align(4);
            this.uint16(reservedPIDs_1.SENTINEL_PID);
            this.uint16(0);
          }
          return this;
        }
        memberHeaderV2(mustUnderstand, id, objectSize, lengthCode) {
          if (id > 268435455) {
            throw Error(`Member ID ${id} is too large. Max value is ${268435455}`);
          }
          const mustUnderstandFlag = mustUnderstand ? 1 << 31 : 0;
          const finalLengthCode = lengthCode ?? (0, lengthCodes_1.getLengthCodeForObjectSize)(objectSize);
          const header = mustUnderstandFlag | finalLengthCode << 28 | id;
          this.uint32(header);
          switch (finalLengthCode) {
            case 0:
            case 1:
            case 2:
            case 3: {
              const shouldBeSize = lengthCodes_1.lengthCodeToObjectSizes[finalLengthCode];
              if (objectSize !== shouldBeSize) {
                throw new Error(`Cannot write a length code ${finalLengthCode} header with an object size not equal to ${shouldBeSize}`);
              }
              break;
            }
            // When the length code is > 3 the header is 8 bytes because of the NEXTINT value storing the object size
            case 4:
            case 5:
              this.uint32(objectSize);
              break;
            case 6:
              if (objectSize % 4 !== 0) {
                throw new Error("Cannot write a length code 6 header with an object size that is not a multiple of 4");
              }
              this.uint32(objectSize >> 2);
              break;
            case 7:
              if (objectSize % 8 !== 0) {
                throw new Error("Cannot write a length code 7 header with an object size that is not a multiple of 8");
              }
              this.uint32(objectSize >> 3);
              break;
            default:
              throw new Error(`Unexpected length code ${finalLengthCode}`);
          }
          return this;
        }
        sequenceLength(value) {
          return this.uint32(value);
        }
        int8Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          this.resizeIfNeeded(value.length);
          this.array.set(value, this.offset);
          this.offset += value.length;
          return this;
        }
        uint8Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          this.resizeIfNeeded(value.length);
          this.array.set(value, this.offset);
          this.offset += value.length;
          return this;
        }
        int16Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Int16Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.int16(entry);
            }
          }
          return this;
        }
        uint16Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Uint16Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.uint16(entry);
            }
          }
          return this;
        }
        int32Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Int32Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.int32(entry);
            }
          }
          return this;
        }
        uint32Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Uint32Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.uint32(entry);
            }
          }
          return this;
        }
        int64Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof BigInt64Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.int64(BigInt(entry));
            }
          }
          return this;
        }
        uint64Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof BigUint64Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.uint64(BigInt(entry));
            }
          }
          return this;
        }
        float32Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Float32Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.float32(entry);
            }
          }
          return this;
        }
        float64Array(value, writeLength) {
          if (writeLength === true) {
            this.sequenceLength(value.length);
          }
          if (value instanceof Float64Array && this.littleEndian === this.hostLittleEndian && value.length >= _CdrWriter.BUFFER_COPY_THRESHOLD) {
            this.align(value.BYTES_PER_ELEMENT, value.byteLength);
            this.array.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.offset);
            this.offset += value.byteLength;
          } else {
            for (const entry of value) {
              this.float64(entry);
            }
          }
          return this;
        }
        /**
         * Calculate the capacity needed to hold the given number of aligned bytes,
         * resize if needed, and write padding bytes for alignment
         * @param size Byte width to align to. If the current offset is 1 and `size`
         *   is 4, 3 bytes of padding will be written
         * @param bytesToWrite Optional, total amount of bytes that are intended to be
         *   written directly following the alignment. This can be used to avoid
         *   additional buffer resizes in the case of writing large blocks of aligned
         *   data such as arrays
         */
        align(size, bytesToWrite = size) {
          const alignment = (this.offset - this.origin) % size;
          const padding = alignment > 0 ? size - alignment : 0;
          this.resizeIfNeeded(padding + bytesToWrite);
          this.array.fill(0, this.offset, this.offset + padding);
          this.offset += padding;
        }
        resizeIfNeeded(additionalBytes) {
          const capacity = this.offset + additionalBytes;
          if (this.buffer.byteLength < capacity) {
            const doubled = this.buffer.byteLength * 2;
            const newCapacity = doubled > capacity ? doubled : capacity;
            this.resize(newCapacity);
          }
        }
        resize(capacity) {
          if (this.buffer.byteLength >= capacity) {
            return;
          }
          const buffer = new ArrayBuffer(capacity);
          const array = new Uint8Array(buffer);
          array.set(this.array);
          this.buffer = buffer;
          this.array = array;
          this.view = new DataView(buffer);
        }
      };
      exports.CdrWriter = CdrWriter;
      CdrWriter.DEFAULT_CAPACITY = 16;
      CdrWriter.BUFFER_COPY_THRESHOLD = 10;
    }
  });

  // node_modules/@foxglove/cdr/dist/index.js
  var require_dist2 = __commonJS({
    "node_modules/@foxglove/cdr/dist/index.js"(exports) {
      "use strict";
      var __createBinding = exports && exports.__createBinding || (Object.create ? (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        Object.defineProperty(o, k2, { enumerable: true, get: function() {
          return m[k];
        } });
      }) : (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        o[k2] = m[k];
      }));
      var __exportStar = exports && exports.__exportStar || function(m, exports2) {
        for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(exports2, p)) __createBinding(exports2, m, p);
      };
      Object.defineProperty(exports, "__esModule", { value: true });
      __exportStar(require_CdrReader(), exports);
      __exportStar(require_CdrSizeCalculator(), exports);
      __exportStar(require_CdrWriter(), exports);
      __exportStar(require_EncapsulationKind(), exports);
    }
  });

  // node_modules/@foxglove/rosmsg2-serialization/dist/messageDefinitionHasDataFields.js
  var require_messageDefinitionHasDataFields = __commonJS({
    "node_modules/@foxglove/rosmsg2-serialization/dist/messageDefinitionHasDataFields.js"(exports) {
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.messageDefinitionHasDataFields = messageDefinitionHasDataFields;
      function messageDefinitionHasDataFields(fields) {
        return fields.some((field) => field.isConstant !== true);
      }
    }
  });

  // node_modules/@foxglove/rosmsg2-serialization/dist/MessageReader.js
  var require_MessageReader = __commonJS({
    "node_modules/@foxglove/rosmsg2-serialization/dist/MessageReader.js"(exports) {
      "use strict";
      var __classPrivateFieldGet = exports && exports.__classPrivateFieldGet || function(receiver, state, kind, f) {
        if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
        if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
        return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
      };
      var __classPrivateFieldSet = exports && exports.__classPrivateFieldSet || function(receiver, state, value, kind, f) {
        if (kind === "m") throw new TypeError("Private method is not writable");
        if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
        if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
        return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
      };
      var _MessageReader_instances;
      var _MessageReader_rootDefinition;
      var _MessageReader_definitions;
      var _MessageReader_lastReadByteLength;
      var _MessageReader_lastReadHadTrailingBytes;
      var _MessageReader_useRos1Time;
      var _MessageReader_readComplexType;
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.MessageReader = void 0;
      var cdr_1 = require_dist2();
      var messageDefinitionHasDataFields_1 = require_messageDefinitionHasDataFields();
      var MessageReader2 = class {
        /**
         * True when the most recent decode finished before reaching the end of the buffer. CDR ignores
         * trailing bytes by design, so this can signal a schema/payload version mismatch.
         */
        lastReadHadTrailingBytes() {
          return __classPrivateFieldGet(this, _MessageReader_lastReadHadTrailingBytes, "f");
        }
        /**
         * Number of bytes consumed by the most recent decode.
         */
        lastReadByteLength() {
          return __classPrivateFieldGet(this, _MessageReader_lastReadByteLength, "f");
        }
        constructor(definitions, options = {}) {
          _MessageReader_instances.add(this);
          _MessageReader_rootDefinition.set(this, void 0);
          _MessageReader_definitions.set(this, void 0);
          _MessageReader_lastReadByteLength.set(this, 0);
          _MessageReader_lastReadHadTrailingBytes.set(this, false);
          _MessageReader_useRos1Time.set(this, void 0);
          const { timeType = "sec,nanosec" } = options;
          const rootDefinition = definitions.find((def) => !isConstantModule(def));
          if (rootDefinition == void 0) {
            throw new Error("MessageReader initialized with no root MessageDefinition");
          }
          __classPrivateFieldSet(this, _MessageReader_rootDefinition, rootDefinition.definitions, "f");
          __classPrivateFieldSet(this, _MessageReader_definitions, new Map(definitions.map((def) => [def.name ?? "", def.definitions])), "f");
          __classPrivateFieldSet(this, _MessageReader_useRos1Time, timeType === "sec,nsec", "f");
        }
        // We template on R here for call site type information if the class type information T is not
        // known or available
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
        readMessage(buffer) {
          const reader = new cdr_1.CdrReader(buffer);
          const value = __classPrivateFieldGet(this, _MessageReader_instances, "m", _MessageReader_readComplexType).call(this, __classPrivateFieldGet(this, _MessageReader_rootDefinition, "f"), reader);
          __classPrivateFieldSet(this, _MessageReader_lastReadByteLength, reader.decodedBytes, "f");
          __classPrivateFieldSet(this, _MessageReader_lastReadHadTrailingBytes, __classPrivateFieldGet(this, _MessageReader_lastReadByteLength, "f") < buffer.byteLength, "f");
          return value;
        }
      };
      exports.MessageReader = MessageReader2;
      _MessageReader_rootDefinition = /* @__PURE__ */ new WeakMap(), _MessageReader_definitions = /* @__PURE__ */ new WeakMap(), _MessageReader_lastReadByteLength = /* @__PURE__ */ new WeakMap(), _MessageReader_lastReadHadTrailingBytes = /* @__PURE__ */ new WeakMap(), _MessageReader_useRos1Time = /* @__PURE__ */ new WeakMap(), _MessageReader_instances = /* @__PURE__ */ new WeakSet(), _MessageReader_readComplexType = function _MessageReader_readComplexType2(definition, reader) {
        const msg = {};
        if (!(0, messageDefinitionHasDataFields_1.messageDefinitionHasDataFields)(definition)) {
          reader.uint8();
          return msg;
        }
        for (const field of definition) {
          if (field.isConstant === true) {
            continue;
          }
          if (field.isComplex === true) {
            const nestedDefinition = __classPrivateFieldGet(this, _MessageReader_definitions, "f").get(field.type);
            if (nestedDefinition == void 0) {
              throw new Error(`Unrecognized complex type ${field.type}`);
            }
            if (field.isArray === true) {
              const arrayLength = field.arrayLength ?? reader.sequenceLength();
              const array = [];
              for (let i = 0; i < arrayLength; i++) {
                array.push(__classPrivateFieldGet(this, _MessageReader_instances, "m", _MessageReader_readComplexType2).call(this, nestedDefinition, reader));
              }
              msg[field.name] = array;
            } else {
              msg[field.name] = __classPrivateFieldGet(this, _MessageReader_instances, "m", _MessageReader_readComplexType2).call(this, nestedDefinition, reader);
            }
          } else {
            if (field.isArray === true) {
              const deser = (__classPrivateFieldGet(this, _MessageReader_useRos1Time, "f") ? ros1TypedArrayDeserializers : typedArrayDeserializers).get(field.type);
              if (deser == void 0) {
                throw new Error(`Unrecognized primitive array type ${field.type}[]`);
              }
              const arrayLength = field.arrayLength ?? reader.sequenceLength();
              msg[field.name] = deser(reader, arrayLength);
            } else {
              const deser = (__classPrivateFieldGet(this, _MessageReader_useRos1Time, "f") ? ros1TimeDeserializers : deserializers).get(field.type);
              if (deser == void 0) {
                throw new Error(`Unrecognized primitive type ${field.type}`);
              }
              msg[field.name] = deser(reader);
            }
          }
        }
        return msg;
      };
      function isConstantModule(def) {
        return def.definitions.length > 0 && def.definitions.every((field) => field.isConstant);
      }
      var deserializers = /* @__PURE__ */ new Map([
        ["bool", (reader) => Boolean(reader.int8())],
        ["int8", (reader) => reader.int8()],
        ["uint8", (reader) => reader.uint8()],
        ["int16", (reader) => reader.int16()],
        ["uint16", (reader) => reader.uint16()],
        ["int32", (reader) => reader.int32()],
        ["uint32", (reader) => reader.uint32()],
        ["int64", (reader) => reader.int64()],
        ["uint64", (reader) => reader.uint64()],
        ["float32", (reader) => reader.float32()],
        ["float64", (reader) => reader.float64()],
        ["string", (reader) => reader.string()],
        ["wstring", throwOnWstring],
        ["time", (reader) => ({ sec: reader.int32(), nanosec: reader.uint32() })],
        ["duration", (reader) => ({ sec: reader.int32(), nanosec: reader.uint32() })]
      ]);
      var ros1TimeDeserializers = new Map([
        ...deserializers,
        ["time", (reader) => ({ sec: reader.int32(), nsec: reader.uint32() })],
        ["duration", (reader) => ({ sec: reader.int32(), nsec: reader.uint32() })]
      ]);
      var typedArrayDeserializers = /* @__PURE__ */ new Map([
        ["bool", readBoolArray],
        ["int8", (reader, count) => reader.int8Array(count)],
        ["uint8", (reader, count) => reader.uint8Array(count)],
        ["int16", (reader, count) => reader.int16Array(count)],
        ["uint16", (reader, count) => reader.uint16Array(count)],
        ["int32", (reader, count) => reader.int32Array(count)],
        ["uint32", (reader, count) => reader.uint32Array(count)],
        ["int64", (reader, count) => reader.int64Array(count)],
        ["uint64", (reader, count) => reader.uint64Array(count)],
        ["float32", (reader, count) => reader.float32Array(count)],
        ["float64", (reader, count) => reader.float64Array(count)],
        ["string", readStringArray],
        ["wstring", throwOnWstring],
        ["time", readTimeArray],
        ["duration", readTimeArray]
      ]);
      var ros1TypedArrayDeserializers = new Map([
        ...typedArrayDeserializers,
        ["time", readRos1TimeArray],
        ["duration", readRos1TimeArray]
      ]);
      function readBoolArray(reader, count) {
        const array = new Array(count);
        for (let i = 0; i < count; i++) {
          array[i] = Boolean(reader.int8());
        }
        return array;
      }
      function readStringArray(reader, count) {
        const array = new Array(count);
        for (let i = 0; i < count; i++) {
          array[i] = reader.string();
        }
        return array;
      }
      function readRos1TimeArray(reader, count) {
        const array = new Array(count);
        for (let i = 0; i < count; i++) {
          const sec = reader.int32();
          const nsec = reader.uint32();
          array[i] = { sec, nsec };
        }
        return array;
      }
      function readTimeArray(reader, count) {
        const array = new Array(count);
        for (let i = 0; i < count; i++) {
          const sec = reader.int32();
          const nanosec = reader.uint32();
          array[i] = { sec, nanosec };
        }
        return array;
      }
      function throwOnWstring() {
        throw new Error("wstring is implementation-defined and therefore not supported");
      }
    }
  });

  // node_modules/@foxglove/rosmsg2-serialization/dist/MessageWriter.js
  var require_MessageWriter = __commonJS({
    "node_modules/@foxglove/rosmsg2-serialization/dist/MessageWriter.js"(exports) {
      "use strict";
      var __classPrivateFieldSet = exports && exports.__classPrivateFieldSet || function(receiver, state, value, kind, f) {
        if (kind === "m") throw new TypeError("Private method is not writable");
        if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
        if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
        return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
      };
      var __classPrivateFieldGet = exports && exports.__classPrivateFieldGet || function(receiver, state, kind, f) {
        if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
        if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
        return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
      };
      var _MessageWriter_instances;
      var _MessageWriter_rootDefinition;
      var _MessageWriter_definitions;
      var _MessageWriter_byteSize;
      var _MessageWriter_write;
      var _MessageWriter_getDefinition;
      var _MessageWriter_getPrimitiveSize;
      var _MessageWriter_getPrimitiveWriter;
      var _MessageWriter_getPrimitiveArrayWriter;
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.MessageWriter = void 0;
      var cdr_1 = require_dist2();
      var messageDefinitionHasDataFields_1 = require_messageDefinitionHasDataFields();
      var PRIMITIVE_SIZES = /* @__PURE__ */ new Map([
        ["bool", 1],
        ["int8", 1],
        ["uint8", 1],
        ["int16", 2],
        ["uint16", 2],
        ["int32", 4],
        ["uint32", 4],
        ["int64", 8],
        ["uint64", 8],
        ["float32", 4],
        ["float64", 8],
        // ["string", ...], // handled separately
        ["time", 8],
        ["duration", 8]
      ]);
      var PRIMITIVE_WRITERS = /* @__PURE__ */ new Map([
        ["bool", bool],
        ["int8", int8],
        ["uint8", uint8],
        ["int16", int16],
        ["uint16", uint16],
        ["int32", int32],
        ["uint32", uint32],
        ["int64", int64],
        ["uint64", uint64],
        ["float32", float32],
        ["float64", float64],
        ["string", string],
        ["time", time],
        ["duration", time],
        ["wstring", throwOnWstring]
      ]);
      var PRIMITIVE_ARRAY_WRITERS = /* @__PURE__ */ new Map([
        ["bool", boolArray],
        ["int8", int8Array],
        ["uint8", uint8Array],
        ["int16", int16Array],
        ["uint16", uint16Array],
        ["int32", int32Array],
        ["uint32", uint32Array],
        ["int64", int64Array],
        ["uint64", uint64Array],
        ["float32", float32Array],
        ["float64", float64Array],
        ["string", stringArray],
        ["time", timeArray],
        ["duration", timeArray],
        ["wstring", throwOnWstring]
      ]);
      function throwOnWstring() {
        throw new Error("wstring is implementation-defined and therefore not supported");
      }
      var MessageWriter = class {
        constructor(definitions) {
          _MessageWriter_instances.add(this);
          _MessageWriter_rootDefinition.set(this, void 0);
          _MessageWriter_definitions.set(this, void 0);
          const rootDefinition = definitions.find((def) => !isConstantModule(def));
          if (rootDefinition == void 0) {
            throw new Error("MessageReader initialized with no root MessageDefinition");
          }
          __classPrivateFieldSet(this, _MessageWriter_rootDefinition, rootDefinition.definitions, "f");
          __classPrivateFieldSet(this, _MessageWriter_definitions, new Map(definitions.map((def) => [def.name ?? "", def.definitions])), "f");
        }
        /** Calculates the byte size needed to write this message in bytes. */
        calculateByteSize(message) {
          return __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_byteSize).call(this, __classPrivateFieldGet(this, _MessageWriter_rootDefinition, "f"), message, 4);
        }
        /**
         * Serializes a JavaScript object to CDR-encoded binary according to this
         * writer's message definition. If output is provided, it's byte length must
         * be equal or greater to the result of `calculateByteSize(message)`. If not
         * provided, a new Uint8Array will be allocated.
         */
        writeMessage(message, output) {
          const writer = new cdr_1.CdrWriter({
            buffer: output,
            size: output ? void 0 : this.calculateByteSize(message)
          });
          __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_write).call(this, __classPrivateFieldGet(this, _MessageWriter_rootDefinition, "f"), message, writer);
          return writer.data;
        }
      };
      exports.MessageWriter = MessageWriter;
      _MessageWriter_rootDefinition = /* @__PURE__ */ new WeakMap(), _MessageWriter_definitions = /* @__PURE__ */ new WeakMap(), _MessageWriter_instances = /* @__PURE__ */ new WeakSet(), _MessageWriter_byteSize = function _MessageWriter_byteSize2(definition, message, offset) {
        const messageObj = message;
        let newOffset = offset;
        if (!(0, messageDefinitionHasDataFields_1.messageDefinitionHasDataFields)(definition)) {
          return offset + __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getPrimitiveSize).call(this, "uint8");
        }
        for (const field of definition) {
          if (field.isConstant === true) {
            continue;
          }
          const nestedMessage = messageObj?.[field.name];
          if (field.isArray === true) {
            const arrayLength = field.arrayLength ?? fieldLength(nestedMessage);
            const dataIsArray = Array.isArray(nestedMessage) || ArrayBuffer.isView(nestedMessage);
            const dataArray = dataIsArray ? nestedMessage : [];
            if (field.arrayLength == void 0) {
              newOffset += padding(newOffset, 4);
              newOffset += 4;
            }
            if (field.isComplex === true) {
              const nestedDefinition = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getDefinition).call(this, field.type);
              for (let i = 0; i < arrayLength; i++) {
                const entry = dataArray[i] ?? {};
                newOffset = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_byteSize2).call(this, nestedDefinition, entry, newOffset);
              }
            } else if (field.type === "string") {
              for (let i = 0; i < arrayLength; i++) {
                const entry = dataArray[i] ?? "";
                newOffset += padding(newOffset, 4);
                newOffset += 4 + entry.length + 1;
              }
            } else {
              const entrySize = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getPrimitiveSize).call(this, field.type);
              const alignment = field.type === "time" || field.type === "duration" ? 4 : entrySize;
              newOffset += padding(newOffset, alignment);
              newOffset += entrySize * arrayLength;
            }
          } else {
            if (field.isComplex === true) {
              const nestedDefinition = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getDefinition).call(this, field.type);
              const entry = nestedMessage ?? {};
              newOffset = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_byteSize2).call(this, nestedDefinition, entry, newOffset);
            } else if (field.type === "string") {
              const entry = typeof nestedMessage === "string" ? nestedMessage : "";
              newOffset += padding(newOffset, 4);
              newOffset += 4 + entry.length + 1;
            } else {
              const entrySize = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getPrimitiveSize).call(this, field.type);
              const alignment = field.type === "time" || field.type === "duration" ? 4 : entrySize;
              newOffset += padding(newOffset, alignment);
              newOffset += entrySize;
            }
          }
        }
        return newOffset;
      }, _MessageWriter_write = function _MessageWriter_write2(definition, message, writer) {
        const messageObj = message;
        if (!(0, messageDefinitionHasDataFields_1.messageDefinitionHasDataFields)(definition)) {
          uint8(0, 0, writer);
          return;
        }
        for (const field of definition) {
          if (field.isConstant === true) {
            continue;
          }
          const nestedMessage = messageObj?.[field.name];
          if (field.isArray === true) {
            const arrayLength = field.arrayLength ?? fieldLength(nestedMessage);
            const dataIsArray = Array.isArray(nestedMessage) || ArrayBuffer.isView(nestedMessage);
            const dataArray = dataIsArray ? nestedMessage : [];
            if (field.arrayLength == void 0) {
              writer.sequenceLength(arrayLength);
            }
            if (field.arrayLength != void 0 && nestedMessage != void 0) {
              const givenFieldLength = fieldLength(nestedMessage);
              if (givenFieldLength !== field.arrayLength) {
                throw new Error(`Expected ${field.arrayLength} items for fixed-length array field ${field.name} but received ${givenFieldLength}`);
              }
            }
            if (field.isComplex === true) {
              const nestedDefinition = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getDefinition).call(this, field.type);
              for (let i = 0; i < arrayLength; i++) {
                const entry = dataArray[i] ?? {};
                __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_write2).call(this, nestedDefinition, entry, writer);
              }
            } else {
              const arrayWriter = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getPrimitiveArrayWriter).call(this, field.type);
              arrayWriter(nestedMessage, field.defaultValue, writer, field.arrayLength);
            }
          } else {
            if (field.isComplex === true) {
              const nestedDefinition = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getDefinition).call(this, field.type);
              const entry = nestedMessage ?? {};
              __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_write2).call(this, nestedDefinition, entry, writer);
            } else {
              const primitiveWriter = __classPrivateFieldGet(this, _MessageWriter_instances, "m", _MessageWriter_getPrimitiveWriter).call(this, field.type);
              primitiveWriter(nestedMessage, field.defaultValue, writer);
            }
          }
        }
      }, _MessageWriter_getDefinition = function _MessageWriter_getDefinition2(datatype) {
        const nestedDefinition = __classPrivateFieldGet(this, _MessageWriter_definitions, "f").get(datatype);
        if (nestedDefinition == void 0) {
          throw new Error(`Unrecognized complex type ${datatype}`);
        }
        return nestedDefinition;
      }, _MessageWriter_getPrimitiveSize = function _MessageWriter_getPrimitiveSize2(primitiveType) {
        const size = PRIMITIVE_SIZES.get(primitiveType);
        if (size == void 0) {
          if (primitiveType === "wstring") {
            throwOnWstring();
          }
          throw new Error(`Unrecognized primitive type ${primitiveType}`);
        }
        return size;
      }, _MessageWriter_getPrimitiveWriter = function _MessageWriter_getPrimitiveWriter2(primitiveType) {
        const writer = PRIMITIVE_WRITERS.get(primitiveType);
        if (writer == void 0) {
          throw new Error(`Unrecognized primitive type ${primitiveType}`);
        }
        return writer;
      }, _MessageWriter_getPrimitiveArrayWriter = function _MessageWriter_getPrimitiveArrayWriter2(primitiveType) {
        const writer = PRIMITIVE_ARRAY_WRITERS.get(primitiveType);
        if (writer == void 0) {
          throw new Error(`Unrecognized primitive type ${primitiveType}[]`);
        }
        return writer;
      };
      function isConstantModule(def) {
        return def.definitions.length > 0 && def.definitions.every((field) => field.isConstant);
      }
      function fieldLength(value) {
        const length = value?.length;
        return typeof length === "number" ? length : 0;
      }
      function bool(value, defaultValue, writer) {
        const boolValue = typeof value === "boolean" ? value : defaultValue ?? false;
        writer.int8(boolValue ? 1 : 0);
      }
      function int8(value, defaultValue, writer) {
        writer.int8(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function uint8(value, defaultValue, writer) {
        writer.uint8(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function int16(value, defaultValue, writer) {
        writer.int16(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function uint16(value, defaultValue, writer) {
        writer.uint16(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function int32(value, defaultValue, writer) {
        writer.int32(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function uint32(value, defaultValue, writer) {
        writer.uint32(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function int64(value, defaultValue, writer) {
        if (typeof value === "bigint") {
          writer.int64(value);
        } else if (typeof value === "number") {
          writer.int64(BigInt(value));
        } else {
          writer.int64(defaultValue ?? 0n);
        }
      }
      function uint64(value, defaultValue, writer) {
        if (typeof value === "bigint") {
          writer.uint64(value);
        } else if (typeof value === "number") {
          writer.uint64(BigInt(value));
        } else {
          writer.uint64(defaultValue ?? 0n);
        }
      }
      function float32(value, defaultValue, writer) {
        writer.float32(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function float64(value, defaultValue, writer) {
        writer.float64(typeof value === "number" ? value : defaultValue ?? 0);
      }
      function string(value, defaultValue, writer) {
        writer.string(typeof value === "string" ? value : defaultValue ?? "");
      }
      function time(value, _defaultValue, writer) {
        if (value == void 0) {
          writer.int32(0);
          writer.uint32(0);
          return;
        }
        const timeObj = value;
        writer.int32(timeObj.sec ?? 0);
        writer.uint32(timeObj.nsec ?? timeObj.nanosec ?? 0);
      }
      function boolArray(value, defaultValue, writer, arrayLength) {
        if (Array.isArray(value)) {
          const array = new Int8Array(value);
          writer.int8Array(array);
        } else {
          writer.int8Array(defaultValue ?? new Int8Array(arrayLength ?? 0).fill(0));
        }
      }
      function int8Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Int8Array) {
          writer.int8Array(value);
        } else if (Array.isArray(value)) {
          const array = new Int8Array(value);
          writer.int8Array(array);
        } else {
          writer.int8Array(defaultValue ?? new Int8Array(arrayLength ?? 0).fill(0));
        }
      }
      function uint8Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Uint8Array) {
          writer.uint8Array(value);
        } else if (value instanceof Uint8ClampedArray) {
          writer.uint8Array(new Uint8Array(value));
        } else if (Array.isArray(value)) {
          const array = new Uint8Array(value);
          writer.uint8Array(array);
        } else {
          writer.uint8Array(defaultValue ?? new Uint8Array(arrayLength ?? 0).fill(0));
        }
      }
      function int16Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Int16Array) {
          writer.int16Array(value);
        } else if (Array.isArray(value)) {
          const array = new Int16Array(value);
          writer.int16Array(array);
        } else {
          writer.int16Array(defaultValue ?? new Int16Array(arrayLength ?? 0).fill(0));
        }
      }
      function uint16Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Uint16Array) {
          writer.uint16Array(value);
        } else if (Array.isArray(value)) {
          const array = new Uint16Array(value);
          writer.uint16Array(array);
        } else {
          writer.uint16Array(defaultValue ?? new Uint16Array(arrayLength ?? 0).fill(0));
        }
      }
      function int32Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Int32Array) {
          writer.int32Array(value);
        } else if (Array.isArray(value)) {
          const array = new Int32Array(value);
          writer.int32Array(array);
        } else {
          writer.int32Array(defaultValue ?? new Int32Array(arrayLength ?? 0).fill(0));
        }
      }
      function uint32Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Uint32Array) {
          writer.uint32Array(value);
        } else if (Array.isArray(value)) {
          const array = new Uint32Array(value);
          writer.uint32Array(array);
        } else {
          writer.uint32Array(defaultValue ?? new Uint32Array(arrayLength ?? 0).fill(0));
        }
      }
      function int64Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof BigInt64Array) {
          writer.int64Array(value);
        } else if (Array.isArray(value)) {
          const array = new BigInt64Array(value);
          writer.int64Array(array);
        } else {
          writer.int64Array(defaultValue ?? new BigInt64Array(arrayLength ?? 0).fill(0n));
        }
      }
      function uint64Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof BigUint64Array) {
          writer.uint64Array(value);
        } else if (Array.isArray(value)) {
          const array = new BigUint64Array(value);
          writer.uint64Array(array);
        } else {
          writer.uint64Array(defaultValue ?? new BigUint64Array(arrayLength ?? 0).fill(0n));
        }
      }
      function float32Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Float32Array) {
          writer.float32Array(value);
        } else if (Array.isArray(value)) {
          const array = new Float32Array(value);
          writer.float32Array(array);
        } else {
          writer.float32Array(defaultValue ?? new Float32Array(arrayLength ?? 0).fill(0));
        }
      }
      function float64Array(value, defaultValue, writer, arrayLength) {
        if (value instanceof Float64Array) {
          writer.float64Array(value);
        } else if (Array.isArray(value)) {
          const array = new Float64Array(value);
          writer.float64Array(array);
        } else {
          writer.float64Array(defaultValue ?? new Float64Array(arrayLength ?? 0).fill(0));
        }
      }
      function stringArray(value, defaultValue, writer, arrayLength) {
        if (Array.isArray(value)) {
          for (const item of value) {
            writer.string(typeof item === "string" ? item : "");
          }
        } else {
          const array = defaultValue ?? new Array(arrayLength ?? 0).fill("");
          for (const item of array) {
            writer.string(item);
          }
        }
      }
      function timeArray(value, _defaultValue, writer, arrayLength) {
        if (Array.isArray(value)) {
          for (const item of value) {
            time(item, void 0, writer);
          }
        } else {
          const array = new Array(arrayLength).fill(void 0);
          for (const item of array) {
            time(item, void 0, writer);
          }
        }
      }
      function padding(offset, byteWidth) {
        const alignment = (offset - 4) % byteWidth;
        return alignment > 0 ? byteWidth - alignment : 0;
      }
    }
  });

  // node_modules/@foxglove/rosmsg2-serialization/dist/index.js
  var require_dist3 = __commonJS({
    "node_modules/@foxglove/rosmsg2-serialization/dist/index.js"(exports) {
      "use strict";
      var __createBinding = exports && exports.__createBinding || (Object.create ? (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        var desc = Object.getOwnPropertyDescriptor(m, k);
        if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
          desc = { enumerable: true, get: function() {
            return m[k];
          } };
        }
        Object.defineProperty(o, k2, desc);
      }) : (function(o, m, k, k2) {
        if (k2 === void 0) k2 = k;
        o[k2] = m[k];
      }));
      var __exportStar = exports && exports.__exportStar || function(m, exports2) {
        for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(exports2, p)) __createBinding(exports2, m, p);
      };
      Object.defineProperty(exports, "__esModule", { value: true });
      __exportStar(require_MessageReader(), exports);
      __exportStar(require_MessageWriter(), exports);
    }
  });

  // src/app/dom.ts
  function h(tag, attributes = {}, ...children) {
    const made2 = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") made2.addEventListener(name, value);
      else if (value === true) made2.setAttribute(name, "");
      else if (value !== false && value !== null) made2.setAttribute(name, String(value));
    }
    made2.append(...children.filter((child) => child !== null && child !== void 0 && child !== false));
    return made2;
  }
  function fill(parent, ...children) {
    parent.replaceChildren(...children.filter((child) => child !== null && child !== void 0 && child !== false));
  }
  var WORDS = {
    pass: "passed",
    fail: "failed",
    inconclusive: "inconclusive",
    subject_crash: "crashed",
    hang: "hung",
    invalid: "invalid"
  };
  var CATEGORIES = Object.keys(WORDS);
  function notice(words, look = "note") {
    return h("p", { class: look, role: look.includes("alarm") ? "alert" : "status" }, words);
  }

  // src/viewer/parts.ts
  var place = globalThis;
  var coming = /* @__PURE__ */ new Map();
  function isHere(name) {
    return place.stressfieldParts?.[name] !== void 0 || document.getElementById(`part-${name}`) !== null || location.protocol.startsWith("http");
  }
  function part(name) {
    const found = coming.get(name) ?? load(name);
    coming.set(name, found);
    return found;
  }
  async function load(name) {
    if (!place.stressfieldParts?.[name]) {
      const script = document.createElement("script"), held = document.getElementById(`part-${name}`);
      if (held) {
        const packed = Uint8Array.from(atob((held.textContent ?? "").trim()), (c) => c.charCodeAt(0));
        script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
        document.head.append(script);
      } else {
        await new Promise((done, fail) => {
          script.onload = () => done();
          script.onerror = () => fail(new Error(`The file /static/${name}.js could not be loaded.`));
          script.src = `/static/${name}.js`;
          document.head.append(script);
        });
      }
    }
    const made2 = place.stressfieldParts?.[name];
    if (!made2) throw new Error(`The part '${name}' of the viewer did not start.`);
    return made2;
  }

  // src/viewer/clock.ts
  var REST_MS = 250;
  var Clock = class {
    constructor(end, time) {
      this.end = end;
      this.time = time;
      this.time = this.within(time);
    }
    end;
    time;
    listeners = /* @__PURE__ */ new Set();
    settled = /* @__PURE__ */ new Set();
    told = -Infinity;
    waiting = 0;
    playing = false;
    rate = 5;
    /* Called at each change; `rest` where it comes to rest: paused, or put there by hand. */
    listen(change, rest) {
      this.listeners.add(change);
      if (rest) this.settled.add(rest);
    }
    toggle() {
      if (this.playing) this.pause();
      else this.play();
    }
    play() {
      if (this.time >= this.end - 0.01) this.time = 0;
      this.playing = true;
      let before = null;
      const tick = (now) => {
        if (!this.playing) return;
        if (before !== null) this.show(this.time + (now - before) / 1e3 * this.rate);
        before = now;
        if (this.time >= this.end) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      this.show(this.time);
    }
    pause() {
      this.playing = false;
      this.show(this.time);
      if (this.waiting) return;
      const tell = () => {
        this.told = performance.now();
        this.waiting = 0;
        this.settled.forEach((rest) => rest(this.time));
      };
      const left = REST_MS - (performance.now() - this.told);
      if (left <= 0) tell();
      else this.waiting = setTimeout(tell, left);
    }
    /* Nobody is told any more. */
    stop() {
      this.playing = false;
      clearTimeout(this.waiting);
      this.settled.clear();
      this.listeners.clear();
    }
    jump(time) {
      this.time = this.within(time);
      this.pause();
    }
    show(time) {
      this.time = this.within(time);
      this.listeners.forEach((change) => change(this.time));
    }
    within(time) {
      return Math.max(0, Math.min(this.end, time));
    }
  };

  // src/viewer/data.ts
  function undelta(column, scale) {
    let sum = 0;
    return Float64Array.from(column, (step) => (sum += step) * scale);
  }
  function decodeWay(raw) {
    return { t: undelta(raw.t, 0.01), x: undelta(raw.x, 1e-3), y: undelta(raw.y, 1e-3), yaw: undelta(raw.yaw, 1e-3) };
  }
  function decodeLine(raw) {
    const { t, v, e } = raw;
    if (!t || !v || e === void 0) return void 0;
    let sum = 0;
    const scale = e < 0 ? 1 / 10 ** -e : 10 ** e;
    return { t: undelta(t, 0.01), v: Float64Array.from(v, (step) => step === null ? NaN : (sum += step) * scale) };
  }
  function decodeRow(raw) {
    if (raw.kind === "topic") {
      return { kind: raw.kind, name: raw.name, title: `${raw.type}, ${raw.count}`, unit: "", bins: Uint8Array.from(atob(raw.bins), (c) => c.charCodeAt(0)) };
    }
    if (raw.kind === "disturbance") return { ...raw, title: "", unit: "" };
    const { t: _t, v: _v, e: _e, ...rest } = raw, line = decodeLine(raw);
    return { title: "", ...rest, ...line ? { line } : {} };
  }
  function decodeRun(world, run) {
    const tracks = run.tracks.map(decodeTrack), rows = [];
    tracks.forEach((track, place2) => {
      const whose = tracks.length > 1 ? ` of ${track.robot}` : "";
      rows.push({ kind: "signal", name: "speed" + whose, title: "", unit: "m/s", line: { t: track.t, v: track.speed }, place: place2 });
      if (track.clearance) rows.push({ kind: "signal", name: "clearance" + whose, title: "to the nearest thing", unit: "m", line: { t: track.t, v: track.clearance }, place: place2 });
    });
    const decoded = run.rows.map(decodeRow), isMargin = (row) => row.kind === "margin";
    return {
      world,
      tracks,
      walks: decodeWalks(run.walks, world.actors),
      marks: run.marks,
      bad: run.bad,
      events: run.events,
      ways: run.ways.map((way) => way.map(([x, y]) => [x / 1e3, y / 1e3])),
      rows: [...decoded.filter(isMargin), ...rows, ...decoded.filter((row) => !isMargin(row))],
      end: Math.max(...tracks.map(lastTime))
    };
  }
  function decodeTrack(raw) {
    return {
      ...decodeWay(raw),
      robot: raw.robot,
      speed: undelta(raw.speed, 1e-3),
      clearance: raw.clearance ? undelta(raw.clearance, 1e-3) : null
    };
  }
  function decodeWalks(raw, actors) {
    return raw.flatMap((walk) => {
      const actor = actors.find((other) => other.name === walk.name);
      return actor ? [{ ...decodeWay(walk), actor }] : [];
    });
  }
  function at(column, i) {
    return column[i];
  }
  function lastTime(way) {
    return at(way.t, way.t.length - 1);
  }
  function indexAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (at(times, middle) <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  function between(way, t) {
    const i = indexAt(way.t, t), j = Math.min(i + 1, way.t.length - 1);
    const span = at(way.t, j) - at(way.t, i);
    return { i, j, f: span > 0 ? Math.min(1, Math.max(0, (t - at(way.t, i)) / span)) : 0 };
  }
  function poseAt(way, t) {
    const { i, j, f } = between(way, t);
    const mix = (column) => at(column, i) + (at(column, j) - at(column, i)) * f;
    const turn = at(way.yaw, j) - at(way.yaw, i);
    return { x: mix(way.x), y: mix(way.y), yaw: at(way.yaw, i) + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
  }
  function lineAt(line, t) {
    if (!line.t.length || t < at(line.t, 0)) return NaN;
    const i = indexAt(line.t, t), j = Math.min(i + 1, line.t.length - 1), span = at(line.t, j) - at(line.t, i);
    const a = at(line.v, i), b = at(line.v, j);
    return span > 0 && Number.isFinite(b) ? a + (b - a) * Math.min(1, (t - at(line.t, i)) / span) : a;
  }
  function valueAt(way, column, t) {
    const { i, j, f } = between(way, t);
    return at(column, i) + (at(column, j) - at(column, i)) * f;
  }

  // src/viewer/look.ts
  var HUES = {
    light: [[[120, 185, 235], [15, 50, 130]], [[245, 185, 110], [165, 70, 0]], [[205, 165, 235], [95, 30, 140]], [[130, 210, 190], [0, 95, 80]]],
    dark: [[[150, 205, 250], [70, 110, 245]], [[250, 210, 150], [240, 135, 40]], [[225, 195, 250], [165, 95, 225]], [[170, 235, 215], [40, 175, 145]]]
  };
  var kept = /* @__PURE__ */ new Map();
  var scheme = matchMedia("(prefers-color-scheme: dark)");
  function currentLook() {
    const found = kept.get(scheme.matches) ?? makeLook(scheme.matches);
    kept.set(scheme.matches, found);
    return found;
  }
  function makeLook(dark) {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const hues = dark ? HUES.dark : HUES.light;
    const hue = (place2, share) => {
      const [early, late] = hues[place2 % hues.length];
      return "rgb(" + early.map((a, k) => Math.round(a + (late[k] - a) * share)).join(",") + ")";
    };
    return {
      card: of("--card"),
      ink: of("--ink"),
      soft: of("--soft"),
      line: of("--line"),
      faint: of("--faint"),
      fail: of("--fail"),
      pass: of("--pass"),
      accent: of("--accent"),
      lidar: of("--lidar"),
      dark,
      hue
    };
  }
  function fitCanvas(canvas, width, height) {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const wide = Math.round(width * ratio), high = Math.round(height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.style.height = height + "px";
      canvas.width = wide;
      canvas.height = high;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return pen;
  }

  // src/viewer/timeline.ts
  var LEFT = 46;
  var RIGHT = 10;
  var TOP = 4;
  var AXIS = 18;
  var TALL = 54;
  var LOW = 21;
  var FONT = "11px system-ui, sans-serif";
  var MARGINS = 5;
  var SIGNALS = 3;
  var ROWS_MAX = 60;
  var FAR = 2.5;
  var Timeline = class {
    constructor(shown) {
      this.shown = shown;
      this.rows = [...shown.rows];
      if (shown.events.length) this.rows.splice(this.rows.findIndex((row) => row.kind === "topic") >>> 0, 0, {
        kind: "reports",
        name: "reports of the robot",
        title: "",
        unit: "",
        events: shown.events
      });
      this.rows.filter(first(this.rows)).slice(0, ROWS_MAX).forEach((row) => this.chosen.add(row));
    }
    shown;
    rows;
    chosen = /* @__PURE__ */ new Set();
    kept = null;
    key = "";
    placed = [];
    get height() {
      return TOP + AXIS + [...this.chosen].reduce((sum, row) => sum + (isLow(row) ? LOW : TALL), 0);
    }
    /* Whether it is shown now: a picture cannot have any number of rows. */
    choose(row, on) {
      if (on && this.chosen.size >= ROWS_MAX) return this.chosen.has(row);
      if (on && row.load && !row.line) row.line = row.load();
      if (on) this.chosen.add(row);
      else this.chosen.delete(row);
      this.key = "";
      return on;
    }
    timeAt(x, width) {
      return (x - LEFT) / (width - LEFT - RIGHT) * this.shown.end;
    }
    /* What is under a point, in words. */
    wordsAt(y) {
      const found = this.placed.find(({ top, height }) => y >= top && y < top + height)?.row;
      return found ? [found.name, found.title, found.note].filter(Boolean).join(": ") : "";
    }
    draw(canvas, look, time, apart = null) {
      const width = canvas.clientWidth || 900, { height } = this, { end } = this.shown;
      const pen = fitCanvas(canvas, width, height), ratio = pen.getTransform().a;
      const key = [width, height, ratio, look.dark, this.chosen.size, apart].join(" ");
      if (!this.kept || key !== this.key) {
        this.kept ??= document.createElement("canvas");
        this.kept.width = canvas.width;
        this.kept.height = canvas.height;
        const still = this.kept.getContext("2d");
        still.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.drawStill(still, look, width, apart);
        this.key = key;
      }
      pen.clearRect(0, 0, width, height);
      pen.drawImage(this.kept, 0, 0, width, height);
      const x = LEFT + time / (end || 1) * (width - LEFT - RIGHT);
      pen.strokeStyle = look.ink;
      pen.lineWidth = 1.3;
      pen.beginPath();
      pen.moveTo(x, 2);
      pen.lineTo(x, height - AXIS + 2);
      pen.stroke();
      pen.font = FONT;
      pen.textAlign = "right";
      for (const { row, top } of this.placed) {
        const value = row.line ? lineAt(row.line, time) : NaN;
        if (!Number.isFinite(value)) continue;
        const words = figure(value) + (row.unit ? " " + row.unit : "");
        pen.fillStyle = look.card;
        pen.globalAlpha = 0.85;
        const wide = pen.measureText(words).width;
        pen.fillRect(width - RIGHT - wide - 4, top + 2, wide + 4, 13);
        pen.globalAlpha = 1;
        pen.fillStyle = isBad(row, value) ? look.fail : look.ink;
        pen.fillText(words, width - RIGHT - 2, top + 12);
      }
    }
    drawStill(pen, look, width, apart) {
      const { end, bad } = this.shown, { height } = this, right = width - RIGHT;
      const x = (t) => LEFT + t / (end || 1) * (right - LEFT);
      pen.fillStyle = look.card;
      pen.fillRect(0, 0, width, height);
      for (const row of this.rows) {
        if (row.kind !== "disturbance" || !this.chosen.has(row)) continue;
        pen.fillStyle = look.accent;
        pen.globalAlpha = 0.1;
        for (const [from, to] of row.spans ?? []) pen.fillRect(x(from), TOP, Math.max(1, x(Math.min(to, end)) - x(from)), height - TOP - AXIS);
      }
      pen.fillStyle = look.fail;
      pen.globalAlpha = 0.16;
      for (const [from, to] of bad) pen.fillRect(x(from) - 0.75, TOP, Math.max(1.5, x(to) - x(from)), height - TOP - AXIS);
      pen.globalAlpha = 1;
      pen.font = FONT;
      let top = TOP;
      this.placed = this.rows.filter((row) => this.chosen.has(row)).map((row) => {
        const tall = isLow(row) ? LOW : TALL, placed = { row, top, height: tall, ...range(row) };
        top += tall;
        return placed;
      });
      for (const placed of this.placed) {
        pen.save();
        pen.beginPath();
        pen.rect(0, placed.top, width, placed.height);
        pen.clip();
        if (isLow(placed.row)) this.drawLow(pen, look, placed, x);
        else drawLine(pen, look, placed, x, right, this.shown.tracks.length);
        this.drawName(pen, look, placed, right);
        pen.restore();
        pen.strokeStyle = look.line;
        pen.lineWidth = 0.5;
        pen.beginPath();
        pen.moveTo(0, placed.top + placed.height);
        pen.lineTo(width, placed.top + placed.height);
        pen.stroke();
      }
      if (apart !== null) {
        pen.strokeStyle = look.accent;
        pen.lineWidth = 2;
        pen.setLineDash([5, 3]);
        pen.beginPath();
        pen.moveTo(x(apart), 0);
        pen.lineTo(x(apart), height - AXIS + 2);
        pen.stroke();
        pen.setLineDash([]);
      }
      pen.fillStyle = look.soft;
      const most = Math.max(2, Math.floor((right - LEFT) / 70));
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find((s) => end / s <= most) ?? 3600;
      for (let i = 0; i * step <= end; i++) {
        const t = i * step;
        pen.textAlign = x(t) > right - 12 ? "right" : "center";
        pen.fillText(`${Number(t.toPrecision(6))} s`, Math.min(x(t), width - 2), height - 4);
      }
    }
    drawName(pen, look, { row, top }, right) {
      pen.textAlign = "left";
      const worst = row.kind === "margin" && row.margin !== void 0 && row.margin !== null ? `, ${row.least === false ? "best" : "worst"} ${figure(row.margin)} ${row.unit}` : "";
      const words = fitted(pen, row.name + (row.title ? " · " + row.title : "") + worst, (right - LEFT) * (isLow(row) ? 0.95 : 0.74));
      pen.fillStyle = look.card;
      pen.globalAlpha = 0.8;
      pen.fillRect(LEFT + 2, top + 2, pen.measureText(words).width + 6, 14);
      pen.globalAlpha = 1;
      pen.fillStyle = row.outcome === "fail" ? look.fail : look.soft;
      pen.fillText(words, LEFT + 5, top + 13);
    }
    drawLow(pen, look, { row, top, height }, x) {
      const { end } = this.shown;
      if (row.bins) {
        const most = Math.max(1, ...row.bins), wide = (x(end) - x(0)) / row.bins.length;
        pen.fillStyle = look.accent;
        row.bins.forEach((count, i) => {
          if (!count) return;
          pen.globalAlpha = 0.25 + 0.6 * (count / most);
          pen.fillRect(x(0) + i * wide, top + height - 7, Math.max(1, wide), 5);
        });
      } else if (row.events) {
        for (const said of row.events) {
          pen.globalAlpha = said.level ? 1 : 0.45;
          pen.fillStyle = said.level ? look.fail : look.soft;
          pen.beginPath();
          pen.moveTo(x(said.at), top + height - 9);
          pen.lineTo(x(said.at) - 4, top + height - 2);
          pen.lineTo(x(said.at) + 4, top + height - 2);
          pen.fill();
        }
      } else {
        pen.fillStyle = row.kind === "margin" ? look.fail : look.accent;
        pen.globalAlpha = 0.75;
        for (const [from, to] of row.spans ?? []) pen.fillRect(x(from) - 1, top + height - 7, Math.max(2, x(Math.min(to, end)) - x(from)), 5);
      }
      pen.globalAlpha = 1;
    }
  };
  function isBad(row, value) {
    return row.kind === "margin" && row.least !== false && value < 0;
  }
  function isLow(row) {
    return !row.line;
  }
  function first(rows) {
    const near = (row) => (row.outcome === "fail" ? -1e9 : 0) + (row.line ? 0 : 1e6) + (row.margin ?? 1e5);
    const margins = new Set(rows.filter((row) => row.kind === "margin").sort((a, b) => near(a) - near(b)).slice(0, MARGINS));
    const signals = new Set(rows.filter((row) => row.kind === "signal" && row.line).slice(0, SIGNALS));
    return (row) => margins.has(row) || signals.has(row) || row.kind === "disturbance" || row.kind === "reports";
  }
  function range(row) {
    const values = row.line ? Float64Array.from(row.line.v).filter(Number.isFinite).sort() : new Float64Array();
    if (!values.length) return { low: 0, high: 1, cut: false };
    const low = at(values, 0), high = at(values, values.length - 1), middle = at(values, values.length >> 1);
    const zero = row.kind === "margin" || low >= 0 && low < 0.5 * high;
    const base = zero ? Math.min(0, low) : low;
    const usual = Math.max(Math.abs(low), Math.abs(middle), Math.abs(at(values, values.length * 3 >> 2)));
    const limit = row.kind === "margin" && usual > 0.01 * high ? FAR * usual : Infinity;
    const up = Math.max(Math.min(high, limit), zero ? 0 : low);
    const pad = (up - base || Math.abs(up) || 1) * 0.08;
    return { low: base - pad * 0.6, high: up + pad, cut: high > limit };
  }
  function drawLine(pen, look, { row, top, height, low, high, cut }, x, right, robots) {
    const line = row.line, bottom = top + height - 3, roof = top + 16;
    const y = (v) => bottom - (Math.min(Math.max(v, low), high) - low) / (high - low) * (bottom - roof);
    pen.fillStyle = look.soft;
    pen.textAlign = "right";
    pen.fillText(figure(high) + (cut ? "+" : ""), LEFT - 4, roof + 4);
    if (low <= 0 && high >= 0) {
      pen.strokeStyle = look.soft;
      pen.globalAlpha = 0.6;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(LEFT, y(0));
      pen.lineTo(right, y(0));
      pen.stroke();
      pen.globalAlpha = 1;
      if (y(0) > roof + 14) pen.fillText("0", LEFT - 4, y(0) + 3);
    } else pen.fillText(figure(low), LEFT - 4, bottom);
    const trace = (style, width) => {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.lineJoin = "round";
      pen.beginPath();
      let joined = false;
      for (let i = 0; i < line.t.length; i++) {
        const v = at(line.v, i);
        if (!Number.isFinite(v)) {
          joined = false;
          continue;
        }
        if (joined) pen.lineTo(x(at(line.t, i)), y(v));
        else pen.moveTo(x(at(line.t, i)), y(v));
        joined = true;
      }
      pen.stroke();
    };
    trace(row.kind === "margin" && row.least !== false ? look.pass : robots > 1 && row.place !== void 0 ? look.hue(row.place, 1) : look.accent, 1.4);
    if (row.kind === "margin" && row.least !== false && low < 0) {
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, y(0), right - LEFT, bottom - y(0) + 3);
      pen.clip();
      trace(look.fail, 2);
      pen.restore();
    }
    for (const [from, to] of row.spans ?? []) {
      pen.fillStyle = look.fail;
      pen.fillRect(x(from) - 1, bottom, Math.max(2, x(to) - x(from)), 3);
    }
    if (row.at !== null && row.at !== void 0 && Number.isFinite(row.at)) {
      const place2 = indexAt(line.t, row.at), v = row.margin ?? at(line.v, place2);
      pen.fillStyle = row.outcome === "fail" ? look.fail : look.pass;
      pen.beginPath();
      pen.arc(x(row.at), y(v), 3, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  function fitted(pen, words, width) {
    if (pen.measureText(words).width <= width) return words;
    let end = words.length;
    while (end > 3 && pen.measureText(words.slice(0, end) + "…").width > width) end -= Math.max(1, end >> 4);
    return words.slice(0, end) + "…";
  }
  function figure(value) {
    const size = Math.abs(value);
    const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
    return text.replace("-", "−");
  }

  // src/viewer/inspector.ts
  var OPEN = 2;
  var ITEMS = 60;
  var DEPTH = 12;
  var TEXT = 2e3;
  var Inspector = class {
    element;
    list = h("ul", { class: "topics", "aria-label": "Topics" });
    rows = [];
    open = /* @__PURE__ */ new Set();
    time = 0;
    constructor(recording) {
      const filter = h("input", { type: "search", placeholder: "Filter topics", "aria-label": "Filter topics", input: () => {
        const words = filter.value.toLowerCase();
        for (const { topic, row } of this.rows) row.hidden = !`${topic.name} ${topic.type}`.toLowerCase().includes(words);
      } });
      for (const topic of recording.topics) {
        const told = h("span", { class: "soft" }), tree = h("div", { class: "tree", hidden: true });
        const button = h("button", { type: "button", class: "plain", "aria-expanded": "false", click: () => {
          const opened = !this.open.delete(topic.name);
          if (opened) this.open.add(topic.name);
          button.setAttribute("aria-expanded", String(opened));
          tree.hidden = !opened;
          this.rows[place2].shown = -2;
          this.show(this.time);
        } }, topic.name);
        const place2 = this.rows.length, row = h("li", {}, button, h("span", { class: "soft small" }, topic.type), told, tree);
        this.rows.push({ topic, row, told, tree, shown: -2 });
        this.list.append(row);
      }
      this.element = h("div", { class: "inspector" }, filter, this.list);
    }
    show(time) {
      this.time = time;
      if (!this.element.isConnected || this.element.closest("details:not([open])")) return;
      for (const row of this.rows) {
        const place2 = row.topic.indexAt(time), age = place2 < 0 ? "" : `${(time - row.topic.times[place2]).toFixed(2)} s ago`;
        const words = place2 < 0 ? `none yet of ${row.topic.count}` : `${place2 + 1} of ${row.topic.count}, ${age}`;
        if (row.told.textContent !== words) row.told.textContent = words;
        if (!this.open.has(row.topic.name) || row.shown === place2) continue;
        row.shown = place2;
        if (place2 < 0) row.tree.replaceChildren("Nothing has come yet.");
        else if (row.topic.isLarge(place2)) {
          row.tree.replaceChildren("Reading …");
          void row.topic.load(place2).then((message) => {
            if (row.shown === place2) fillTree(row.tree, message, row.topic.problem);
          });
        } else fillTree(row.tree, row.topic.message(place2), row.topic.problem);
      }
    }
  };
  function fillTree(tree, message, problem) {
    const before = new Map(Array.from(tree.querySelectorAll("details"), (part2) => [part2.dataset["path"] ?? "", part2.open]));
    tree.replaceChildren(message === null || message === void 0 ? problem || "It cannot be decoded." : node(message, "", before, 0));
  }
  function node(value, path, open, depth) {
    if (value === null || typeof value !== "object") return document.createTextNode(leaf(value));
    if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      const all = value, short = Array.from({ length: Math.min(all.length, 6) }, (_, i) => all[i]);
      const plain2 = short.every((item) => item === null || typeof item !== "object");
      const words = `[${all.length}]` + (plain2 && all.length ? " " + short.map(leaf).join(", ") + (all.length > 6 ? ", …" : "") : "");
      if (!all.length || depth >= DEPTH) return document.createTextNode(words);
      return folded(words, path, open, depth, () => Array.from({ length: Math.min(all.length, ITEMS) }, (_, i) => [String(i), all[i]]), all.length - ITEMS);
    }
    const entries = Object.entries(value);
    if (depth >= DEPTH) return document.createTextNode("{…}");
    if (depth === 0) return branch(entries, path, open, depth);
    const brief = entries.every(([, item]) => typeof item === "number") ? entries.map(([name, item]) => `${name} ${leaf(item)}`).join("  ") : `${entries.length} fields`;
    return folded(brief, path, open, depth, () => entries, 0, depth <= OPEN && entries.length <= 8);
  }
  function folded(words, path, open, depth, entries, left, atOnce = false) {
    const part2 = h("details", { "data-path": path }, h("summary", {}, words));
    const fill2 = () => {
      if (part2.childElementCount > 1) return;
      part2.append(branch(entries(), path, open, depth));
      if (left > 0) part2.append(h("p", { class: "soft small" }, `and ${left} more`));
    };
    part2.addEventListener("toggle", () => {
      if (part2.open) fill2();
    });
    if (open.get(path) ?? atOnce) {
      part2.open = true;
      fill2();
    }
    return part2;
  }
  function branch(entries, path, open, depth) {
    const list = h("dl", {});
    for (const [name, item] of entries) {
      const value = h("dd", {});
      value.append(node(item, `${path}/${name}`, open, depth + 1));
      list.append(h("dt", {}, name), value);
    }
    return list;
  }
  function leaf(value) {
    if (typeof value === "number") return Number.isInteger(value) ? String(value) : Number.isFinite(value) ? figure(value) === "0" ? "0" : String(Number(value.toPrecision(7))) : String(value);
    if (typeof value === "string") return value.length > TEXT ? value.slice(0, TEXT) + "…" : value || "(empty)";
    return String(value);
  }

  // src/viewer/layers.ts
  var POINTS_MAX = 2e4;
  var OLD_S = 2;
  var SCAN = "sensor_msgs/LaserScan";
  var CLOUD = "sensor_msgs/PointCloud2";
  var PATH = "nav_msgs/Path";
  var GRID = "nav_msgs/OccupancyGrid";
  function yawOf(q) {
    return Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
  }
  function ownPlacing(shown) {
    const mounts = new Map(shown.world.robots.flatMap((robot) => (robot.sensors ?? []).map((sensor) => [sensor.topic, { robot: robot.name, ...sensor }])));
    return (topic, _frame, time) => {
      const mount = mounts.get(topic), track = mount && shown.tracks.find((other) => other.robot === mount.robot);
      if (!mount || !track) return null;
      const pose = poseAt(track, time), c = Math.cos(pose.yaw), s = Math.sin(pose.yaw), x = mount.x / 1e3, y = mount.y / 1e3;
      return { x: pose.x + c * x - s * y, y: pose.y + s * x + c * y, yaw: pose.yaw + mount.yaw / 1e3, z: mount.z / 1e3 };
    };
  }
  var MessageLayers = class {
    constructor(recording, placing, changed) {
      this.placing = placing;
      this.changed = changed;
      this.scans = recording.ofType(SCAN, CLOUD);
      this.paths = recording.ofType(PATH);
      this.maps = recording.ofType(GRID);
    }
    placing;
    changed;
    scans;
    paths;
    maps;
    drawn = /* @__PURE__ */ new Map();
    get topics() {
      return [...this.scans, ...this.paths, ...this.maps].map((topic) => topic.name);
    }
    at(time) {
      const of = (topics, make, old = Infinity) => topics.flatMap((topic) => {
        const place2 = topic.indexAt(time);
        if (place2 < 0 || time - topic.times[place2] > old) return [];
        const kept2 = this.drawn.get(topic.name);
        if (kept2?.place === place2) return kept2.made ? [kept2.made] : [];
        const entry = { place: place2, made: kept2?.made ?? null };
        this.drawn.set(topic.name, entry);
        if (topic.isLarge(place2)) {
          void topic.load(place2).then((message) => {
            entry.made = message ? make(topic, message, topic.times[place2]) : null;
            this.changed();
          });
        } else {
          const message = topic.message(place2);
          entry.made = message ? make(topic, message, topic.times[place2]) : null;
        }
        return entry.made ? [entry.made] : [];
      });
      return {
        clouds: of(this.scans, (topic, message, at2) => this.cloud(topic, message, at2), OLD_S),
        ways: of(this.paths, (topic, message, at2) => this.way(topic, message, at2)),
        grids: of(this.maps, (topic, message, at2) => this.grid(topic, message, at2))
      };
    }
    cloud(topic, message, time) {
      const frame = message.header?.frame_id ?? "";
      const origin = this.placing(topic.name, frame, time);
      if (!origin) return null;
      const local = "ranges" in message ? scanPoints(message) : cloudPoints(message);
      const c = Math.cos(origin.yaw), s = Math.sin(origin.yaw);
      for (let i = 0; i < local.length; i += 3) {
        const x = local[i], y = local[i + 1];
        local[i] = origin.x + c * x - s * y;
        local[i + 1] = origin.y + s * x + c * y;
        local[i + 2] = local[i + 2] + origin.z;
      }
      return { topic: topic.name, origin, xyz: local, time };
    }
    way(topic, message, time) {
      const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw);
      return { topic: topic.name, points: message.poses.map(({ pose: { position: p } }) => [frame.x + c * p.x - s * p.y, frame.y + s * p.x + c * p.y]) };
    }
    grid(topic, message, time) {
      const { width, height, resolution, origin } = message.info;
      if (!(width > 0 && height > 0 && width * height <= 64e6 && resolution > 0)) return null;
      const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const picture = document.createElement("canvas"), pen = picture.getContext("2d");
      picture.width = width;
      picture.height = height;
      const image = pen.createImageData(width, height);
      for (let i = 0; i < width * height; i++) {
        const value = message.data[i], place2 = 4 * ((height - 1 - Math.floor(i / width)) * width + i % width);
        image.data.set(value < 0 ? [128, 128, 128, 26] : value >= 50 ? [112, 121, 135, 240] : [128, 150, 180, 10 + value], place2);
      }
      pen.putImageData(image, 0, 0);
      const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw), p = origin.position;
      return {
        topic: topic.name,
        picture,
        cell: resolution,
        columns: width,
        rows: height,
        origin: { x: frame.x + c * p.x - s * p.y, y: frame.y + s * p.x + c * p.y, yaw: frame.yaw + yawOf(origin.orientation) }
      };
    }
  };
  function scanPoints(scan) {
    const points = [];
    for (let i = 0; i < scan.ranges.length; i++) {
      const range2 = scan.ranges[i];
      if (!(range2 >= scan.range_min && range2 < scan.range_max)) continue;
      const angle = scan.angle_min + i * scan.angle_increment;
      points.push(range2 * Math.cos(angle), range2 * Math.sin(angle), 0);
    }
    return Float32Array.from(points);
  }
  function cloudPoints(cloud) {
    const of = (name) => cloud.fields.find((field) => field.name === name && field.datatype === 7)?.offset;
    const x = of("x"), y = of("y"), z = of("z"), total = cloud.width * cloud.height;
    if (x === void 0 || y === void 0 || z === void 0 || !cloud.point_step) return new Float32Array();
    const view = new DataView(cloud.data.buffer, cloud.data.byteOffset, cloud.data.byteLength), step = Math.max(1, Math.ceil(total / POINTS_MAX));
    const points = [];
    for (let i = 0; i < total && (i + 1) * cloud.point_step <= cloud.data.byteLength; i += step) {
      const at2 = i * cloud.point_step, px = view.getFloat32(at2 + x, !cloud.is_bigendian), py = view.getFloat32(at2 + y, !cloud.is_bigendian), pz = view.getFloat32(at2 + z, !cloud.is_bigendian);
      if (Number.isFinite(px + py + pz)) points.push(px, py, pz);
    }
    return Float32Array.from(points);
  }

  // src/viewer/legend.ts
  var NAMES_MAX = 6;
  function legendOf(shown) {
    const entry = (look, words, light = "currentColor", dark = light) => {
      const swatch = h("i", { class: look, "aria-hidden": "true" });
      swatch.style.setProperty("--light", light);
      swatch.style.setProperty("--dark", dark);
      return h("li", {}, swatch, words);
    };
    const { tracks, walks, world, ways, marks } = shown;
    const entries = tracks.map((track) => entry("robot", `${track.robot}: now; grey at even intervals${marks.length ? ", red at a violation" : ""}`));
    entries.push(entry("start", "start"), entry("line", "where it went, light early, dark late", "var(--accent)"));
    if (ways.length) entries.push(entry("goal", "goal", "var(--pass)"));
    if (ways.some((way) => way.length > 1)) entries.push(entry("dash", "route of the mission", "var(--pass)"));
    if (marks.length) entries.push(entry("thick", "violated", "var(--fail)"));
    const kinds = /* @__PURE__ */ new Map();
    for (const { actor } of walks) {
      const seen = kinds.get(actor.kind) ?? { round: actor.round, light: actor.light, dark: actor.dark, names: [] };
      seen.names.push(actor.name);
      kinds.set(actor.kind, seen);
    }
    for (const [kind, { round, light, dark, names }] of kinds) {
      entries.push(entry(round ? "round" : "box", `${kind}: ${names.length > NAMES_MAX ? names.length : names.join(", ")}`, light, dark));
    }
    if (walks.length) entries.push(h("li", {}, "White line: where somebody heads. Trail: the last ten seconds. Pale: where they were at a violation."));
    for (const { kind, light, dark } of world.bodies) entries.push(entry("still", `${kind}, stands still`, light, dark));
    if (world.regions.some((region) => region.limit)) entries.push(entry("dots", "limits"));
    if (world.ground) entries.push(h("li", {}, "Ground: darker is lower."));
    return h("ul", { class: "key legend", "aria-label": "Legend" }, ...entries);
  }
  function layerEntries(topics) {
    return topics.map(({ name, kind }) => {
      const swatch = h("i", { class: kind, "aria-hidden": "true" });
      swatch.style.setProperty("--light", "var(--lidar)");
      swatch.style.setProperty("--dark", "var(--lidar)");
      return h("li", {}, swatch, name);
    });
  }

  // src/viewer/scene.ts
  var FONT2 = "11px system-ui, sans-serif";
  var TRAIL_S = 10;
  var OUTLINES = 14;
  var RAYS_MAX = 1500;
  var RAYS_DRAWN = 72;
  var SHADES = 24;
  var FULL = 2 * Math.PI;
  var Backdrop = class {
    constructor(world) {
      this.world = world;
    }
    world;
    kept = null;
    key = "";
    relief = null;
    reliefDark = false;
    draw(pen, view, look) {
      const ratio = pen.getTransform().a;
      const key = [view.width, view.height, view.scale, view.px(0), view.py(0), ratio, look.dark].join(" ");
      if (!this.kept || key !== this.key) {
        this.kept ??= document.createElement("canvas");
        this.kept.width = pen.canvas.width;
        this.kept.height = pen.canvas.height;
        const still = this.kept.getContext("2d");
        still.setTransform(ratio, 0, 0, ratio, 0, 0);
        still.fillStyle = look.card;
        still.fillRect(0, 0, view.width, view.height);
        this.drawGround(still, view, look);
        this.drawRegions(still, view, look);
        this.drawBodies(still, view, look);
        this.key = key;
      }
      pen.drawImage(this.kept, 0, 0, view.width, view.height);
    }
    drawGround(pen, view, look) {
      const ground = this.world.ground;
      if (!ground) return;
      if (!this.relief || this.reliefDark !== look.dark) {
        const bytes = Uint8Array.from(atob(ground.shade), (c) => c.charCodeAt(0));
        const image = new ImageData(ground.columns, ground.rows);
        bytes.forEach((shade, i) => {
          const row = ground.rows - 1 - Math.floor(i / ground.columns), place2 = 4 * (row * ground.columns + i % ground.columns);
          image.data.set(look.dark ? [150, 130, 100, shade >> 1] : [139, 110, 70, shade], place2);
        });
        this.relief = document.createElement("canvas");
        this.relief.width = ground.columns;
        this.relief.height = ground.rows;
        this.relief.getContext("2d").putImageData(image, 0, 0);
        this.reliefDark = look.dark;
      }
      const [x0, y0, x1, y1] = metres(ground.box);
      pen.save();
      pen.globalAlpha = 0.3;
      pen.imageSmoothingQuality = "high";
      pen.drawImage(this.relief, view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale);
      pen.restore();
    }
    drawRegions(pen, view, look) {
      for (const region of this.world.regions) {
        const [x0, y0, x1, y1] = metres(region.box);
        const box = [view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale];
        pen.save();
        if (region.limit) {
          pen.setLineDash([2, 5]);
          pen.lineCap = "round";
          pen.lineWidth = 2;
          pen.strokeStyle = look.ink;
          pen.strokeRect(...box);
        } else {
          pen.globalAlpha = 0.05;
          pen.fillStyle = look.accent;
          pen.fillRect(...box);
          pen.globalAlpha = 0.25;
          pen.strokeStyle = look.accent;
          pen.lineWidth = 0.6;
          pen.strokeRect(...box);
        }
        pen.restore();
      }
    }
    drawBodies(pen, view, look) {
      for (const group of this.world.bodies) {
        pen.save();
        pen.fillStyle = pen.strokeStyle = look.dark ? group.dark : group.light;
        for (let i = 0; i < group.x.length; i++) {
          const x = view.px(at(group.x, i) / 1e3), y = view.py(at(group.y, i) / 1e3);
          const w = at(group.w, i % group.w.length) / 1e3 * view.scale, h2 = at(group.h, i % group.h.length) / 1e3 * view.scale;
          pen.beginPath();
          if (group.glyph === "dot") {
            pen.globalAlpha = 0.45;
            pen.arc(x, y, Math.max(1.1, w / 2), 0, FULL);
            pen.fill();
          } else if (group.glyph === "cross") {
            const r = Math.max(4.5, w / 2);
            pen.lineWidth = 2.2;
            pen.moveTo(x - r, y - r);
            pen.lineTo(x + r, y + r);
            pen.moveTo(x - r, y + r);
            pen.lineTo(x + r, y - r);
            pen.stroke();
          } else if (group.glyph === "box") {
            pen.save();
            pen.translate(x, y);
            pen.rotate(-(group.yaw ? at(group.yaw, i) : 0) / 1e3);
            pen.globalAlpha = 0.75;
            pen.fillRect(-w / 2, -h2 / 2, w, h2);
            pen.restore();
          } else {
            pen.arc(x, y, Math.max(1.6, w / 2), 0, FULL);
            pen.globalAlpha = 0.6;
            pen.fill();
            pen.globalAlpha = 1;
            pen.lineWidth = 0.8;
            pen.stroke();
          }
        }
        pen.restore();
      }
    }
  };
  function metres(box) {
    return box.map((v) => v / 1e3);
  }
  function label(pen, colour, text, x, y) {
    pen.save();
    pen.fillStyle = colour;
    pen.font = FONT2;
    pen.textAlign = "left";
    pen.fillText(text, x, y);
    pen.restore();
  }
  function drawEnds(pen, view, look, tracks, ways) {
    pen.save();
    pen.lineWidth = 2;
    for (const track of tracks) {
      pen.strokeStyle = look.ink;
      pen.fillStyle = look.card;
      pen.beginPath();
      pen.arc(view.px(at(track.x, 0)), view.py(at(track.y, 0)), 4.5, 0, FULL);
      pen.fill();
      pen.stroke();
    }
    for (const way of ways) {
      const goal = way[way.length - 1];
      if (!goal) continue;
      const x = view.px(goal[0]), y = view.py(goal[1]);
      pen.strokeStyle = look.pass;
      for (const r of [4, 9]) {
        pen.beginPath();
        pen.arc(x, y, r, 0, FULL);
        pen.stroke();
      }
      label(pen, look.pass, "goal", x + 12, y + 4);
    }
    pen.restore();
  }
  function drawWays(pen, view, look, ways, planned) {
    const line = (points) => {
      pen.beginPath();
      for (const [x, y] of points) pen.lineTo(view.px(x), view.py(y));
      pen.stroke();
    };
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    pen.strokeStyle = look.pass;
    pen.lineWidth = 1.6;
    pen.globalAlpha = 0.6;
    pen.setLineDash([7, 6]);
    for (const way of ways) {
      line(way);
      for (const [x, y] of way.slice(0, -1)) {
        pen.setLineDash([]);
        pen.beginPath();
        pen.arc(view.px(x), view.py(y), 2.4, 0, FULL);
        pen.stroke();
        pen.setLineDash([7, 6]);
      }
    }
    pen.strokeStyle = look.lidar;
    pen.globalAlpha = 0.9;
    pen.lineWidth = 2;
    pen.setLineDash([4, 3]);
    for (const { points } of planned) line(points);
    pen.restore();
  }
  function drawClouds(pen, view, look, clouds) {
    pen.save();
    for (const { xyz, origin } of clouds) {
      const ox = view.px(origin.x), oy = view.py(origin.y), count = xyz.length / 3;
      pen.fillStyle = pen.strokeStyle = look.lidar;
      if (count <= RAYS_MAX) {
        const step = 3 * Math.ceil(count / RAYS_DRAWN);
        pen.globalAlpha = 0.16;
        pen.lineWidth = 0.7;
        pen.beginPath();
        for (let i = 0; i < xyz.length; i += step) {
          pen.moveTo(ox, oy);
          pen.lineTo(view.px(at(xyz, i)), view.py(at(xyz, i + 1)));
        }
        pen.stroke();
      }
      pen.globalAlpha = 0.9;
      for (let i = 0; i < xyz.length; i += 3) pen.fillRect(view.px(at(xyz, i)) - 1, view.py(at(xyz, i + 1)) - 1, 2, 2);
    }
    pen.restore();
  }
  function drawGrids(pen, view, grids) {
    for (const { picture, origin, cell, columns, rows } of grids) {
      pen.save();
      pen.translate(view.px(origin.x), view.py(origin.y));
      pen.rotate(-origin.yaw);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(picture, 0, -rows * cell * view.scale, columns * cell * view.scale, rows * cell * view.scale);
      pen.restore();
    }
  }
  function drawWalk(pen, view, look, walk, time, marks, named) {
    const colour = look.dark ? walk.actor.dark : walk.actor.light, pose = poseAt(walk, time);
    const last = indexAt(walk.t, time), from = indexAt(walk.t, time - TRAIL_S);
    if (walk.t.length > 1) {
      pen.save();
      pen.strokeStyle = colour;
      pen.lineWidth = 1.6;
      pen.lineJoin = pen.lineCap = "round";
      pen.setLineDash([3, 4]);
      pen.globalAlpha = 0.18;
      pen.beginPath();
      walk.t.forEach((_, i) => pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i))));
      pen.stroke();
      pen.setLineDash([]);
      pen.globalAlpha = 0.55;
      pen.beginPath();
      for (let i = from; i <= last; i++) pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i)));
      pen.lineTo(view.px(pose.x), view.py(pose.y));
      pen.stroke();
      pen.restore();
      for (const mark of marks) if (mark.at <= time - 0.05) drawActor(pen, view, look, walk.actor, poseAt(walk, mark.at), 0.35);
    }
    drawActor(pen, view, look, walk.actor, pose, 0.9);
    if (named) {
      const reach = 0.72 * (walk.actor.round ? walk.actor.length / 2e3 : Math.hypot(walk.actor.length, walk.actor.width) / 2e3) * view.scale;
      label(pen, colour, walk.actor.name, view.px(pose.x) + reach + 3, view.py(pose.y) - reach - 2);
    }
  }
  function drawActor(pen, view, look, actor, pose, alpha) {
    const length = Math.max(2.2, actor.length / 2e3 * view.scale), width = Math.max(2.2, actor.width / 2e3 * view.scale);
    pen.save();
    pen.translate(view.px(pose.x), view.py(pose.y));
    pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha;
    pen.fillStyle = look.dark ? actor.dark : actor.light;
    pen.beginPath();
    if (actor.round) pen.arc(0, 0, length, 0, FULL);
    else pen.rect(-length, -width, 2 * length, 2 * width);
    pen.fill();
    if (!actor.door) {
      pen.strokeStyle = look.card;
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(length, 0);
      pen.stroke();
    }
    pen.restore();
  }
  function drawTrack(pen, view, look, driven) {
    const { track, place: place2, robot, time, end } = driven;
    const last = indexAt(track.t, time), pose = poseAt(track, time);
    const colour = (t) => look.hue(place2, end > 0 ? t / end : 0);
    const line = (from, to, style, width) => {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.beginPath();
      for (let i = from; i <= to; i++) pen.lineTo(view.px(at(track.x, i)), view.py(at(track.y, i)));
      pen.stroke();
    };
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    pen.globalAlpha = 0.25;
    line(last, track.t.length - 1, look.soft, 1.2);
    pen.globalAlpha = 1;
    const step = Math.max(4, Math.ceil(track.t.length / SHADES));
    for (let i = 0; i < last; i += step) line(i, Math.min(i + step, last), colour(at(track.t, i)), 2);
    pen.strokeStyle = colour(time);
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(view.px(at(track.x, last)), view.py(at(track.y, last)));
    pen.lineTo(view.px(pose.x), view.py(pose.y));
    pen.stroke();
    for (const [from, to] of driven.bad) {
      if (from <= time) line(indexAt(track.t, from), Math.min(last, indexAt(track.t, to) + 1), look.fail, 5);
    }
    pen.restore();
    if (robot) {
      const step2 = Math.max(end / OUTLINES, 0.5);
      for (let t = 0; t < time; t += step2) drawRobot(pen, view, poseAt(track, t), robot, look.soft, 0.35, false);
      for (const mark of driven.marks) if (mark.at <= time) drawRobot(pen, view, poseAt(track, mark.at), robot, look.fail, 0.9, false);
      drawRobot(pen, view, pose, robot, look.ink, 1, true);
    }
    if (driven.named) label(pen, colour(end), track.robot, view.px(pose.x) + 9, view.py(pose.y) - 7);
  }
  function drawRobot(pen, view, pose, robot, colour, alpha, solid) {
    const length = robot.length / 1e3 * view.scale, width = robot.width / 1e3 * view.scale, ahead = robot.offset / 1e3 * view.scale;
    pen.save();
    pen.translate(view.px(pose.x), view.py(pose.y));
    pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha;
    pen.strokeStyle = colour;
    pen.lineWidth = solid ? 2 : 1.1;
    pen.beginPath();
    pen.rect(ahead - length / 2, -width / 2, length, width);
    if (solid) {
      pen.save();
      pen.globalAlpha = 0.25;
      pen.fillStyle = colour;
      pen.fill();
      pen.restore();
    }
    pen.stroke();
    if (solid) {
      pen.beginPath();
      pen.moveTo(ahead + length / 2, 0);
      pen.lineTo(ahead + length / 5, -width / 3);
      pen.lineTo(ahead + length / 5, width / 3);
      pen.closePath();
      pen.fillStyle = colour;
      pen.fill();
    }
    pen.restore();
  }
  function drawMarks(pen, view, look, marks, time) {
    const { width, height } = view, taken = [];
    const free = (box) => box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2 && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    const shown = marks.map((mark, i) => ({ mark, i, x: view.px(mark.x / 1e3), y: view.py(mark.y / 1e3) })).filter(({ mark, x, y }) => mark.at <= time + 1e-6 && x > 0 && x < width && y > 0 && y < height);
    shown.forEach(({ x, y }) => taken.push([x - 10, y - 10, x + 10, y + 10]));
    pen.save();
    pen.font = "600 12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (const { mark, i, x, y } of shown) {
      const w = pen.measureText(mark.label).width + 12;
      const places = [
        [16, -30],
        [16, 22],
        [-16 - w, -30],
        [-16 - w, 22],
        [-w / 2, -54],
        [-w / 2, 46],
        [16, -70],
        [16, 64],
        [-16 - w, -70],
        [-16 - w, 64],
        [-w / 2, -100],
        [-w / 2, 90]
      ];
      for (const [dx, dy] of places) {
        const box = [x + dx, y + dy - 10, x + dx + w, y + dy + 10];
        if (!free(box)) continue;
        taken.push(box);
        pen.strokeStyle = look.fail;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(Math.max(box[0], Math.min(x, box[2])), dy < 0 ? box[3] : box[1]);
        pen.stroke();
        pen.fillStyle = look.card;
        pen.globalAlpha = 0.92;
        pen.beginPath();
        pen.roundRect(box[0], box[1], w, 20, 5);
        pen.fill();
        pen.globalAlpha = 1;
        pen.stroke();
        pen.fillStyle = look.fail;
        pen.textAlign = "left";
        pen.fillText(mark.label, box[0] + 6, y + dy + 0.5);
        break;
      }
      pen.beginPath();
      pen.arc(x, y, 9, 0, FULL);
      pen.fillStyle = look.fail;
      pen.fill();
      pen.lineWidth = 1.5;
      pen.strokeStyle = look.card;
      pen.stroke();
      pen.fillStyle = "#fff";
      pen.textAlign = "center";
      pen.fillText(String(i + 1), x, y + 0.5);
    }
    pen.restore();
  }
  function drawRuler(pen, view, look) {
    const metres2 = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500].find((m) => m * view.scale >= 46) ?? 1e3;
    const base = view.height - 11, right = 12 + metres2 * view.scale;
    pen.save();
    pen.strokeStyle = pen.fillStyle = look.soft;
    pen.lineWidth = 1.5;
    pen.font = FONT2;
    pen.beginPath();
    pen.moveTo(12, base - 5);
    pen.lineTo(12, base);
    pen.lineTo(right, base);
    pen.lineTo(right, base - 5);
    pen.stroke();
    pen.fillText(metres2 + " m", 18, base - 6);
    pen.restore();
  }

  // src/viewer/video.ts
  var FRAMES_HZ = 30;
  var BITS = 6e6;
  var TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
  async function film(clock, canvas, paint, what, signal, progress) {
    const type = TYPES.find((name) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(name));
    if (!type || !canvas.captureStream) throw new Error("This browser cannot record films of a page. Chromium and Firefox can.");
    clock.jump(what.from);
    paint();
    const stream = canvas.captureStream(FRAMES_HZ), recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
    const parts = [];
    recorder.ondataavailable = (event) => {
      if (event.data.size) parts.push(event.data);
    };
    const ended = new Promise((done) => {
      recorder.onstop = () => done();
    });
    recorder.start(250);
    const began = performance.now();
    await new Promise((done) => {
      const tick = () => {
        const time = Math.min(what.to, what.from + (performance.now() - began) / 1e3 * what.rate);
        clock.jump(time);
        paint();
        progress((time - what.from) / Math.max(1e-9, what.to - what.from));
        if (time >= what.to || signal.aborted) done();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    await new Promise((done) => setTimeout(done, 300));
    recorder.stop();
    await ended;
    stream.getTracks().forEach((track) => track.stop());
    return new Blob(parts, { type: "video/webm" });
  }
  function save(blob, name) {
    const link = h("a", { href: URL.createObjectURL(blob), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
  }
  function filmForm(clock, canvas, paint, about) {
    const field = (label2, value) => {
      const input = h("input", { type: "number", min: 0, max: clock.end, step: "any", value: Number(value.toFixed(1)) });
      return { input, label: h("label", {}, label2, " ", input, " s") };
    };
    const from = field("from", about.from), to = field("to", about.to);
    const rate = h("select", { "aria-label": "Speed of the film" }, ...[0.5, 1, 2, 5, 10].map((n) => h("option", { value: n, selected: n === 1 }, `× ${n}`)));
    const told = h("span", { role: "status" });
    const abort = { signal: new AbortController() };
    const button = h("button", { type: "button", click: () => {
      if (button.dataset["busy"]) {
        abort.signal.abort();
        return;
      }
      const what = { from: Number(from.input.value), to: Number(to.input.value), rate: Number(rate.value), name: about.name };
      if (!(what.to > what.from && what.from >= 0)) {
        told.textContent = `A film cannot go from ${what.from} s to ${what.to} s.`;
        return;
      }
      abort.signal = new AbortController();
      button.dataset["busy"] = "1";
      button.textContent = "Stop";
      film(clock, canvas, paint, what, abort.signal.signal, (share) => {
        told.textContent = `recording, ${Math.round(100 * share)} %`;
      }).then((blob) => {
        save(blob, `${about.name}.webm`);
        told.textContent = `${about.name}.webm, ${(blob.size / 1e6).toFixed(1)} MB`;
      }).catch((error) => {
        told.textContent = error.message;
      }).finally(() => {
        delete button.dataset["busy"];
        button.textContent = "Record";
      });
    } }, "Record");
    return h("div", { class: "film" }, from.label, to.label, rate, button, told);
  }

  // src/viewer/replay.ts
  var SPEEDS = [0.5, 1, 2, 5, 10, 20];
  var NAMED_MAX = 8;
  var KEYS = "Space: play, pause. Arrows: one second, with Shift ten, with Alt a tenth. N, P: next, previous violation. F: follow. V: in space. Home, End.";
  var NOTHING = { clouds: [], ways: [], grids: [] };
  var GROUPS = [["margin", "Margins of properties"], ["signal", "Signals"], ["disturbance", "Disturbances"], ["reports", "Reports"], ["topic", "Arrivals of messages"]];
  var Replay = class _Replay {
    constructor(stage, given, options = {}) {
      this.stage = stage;
      this.options = options;
      this.clock = options.clock ?? new Clock(given.end, options.time ?? given.end);
      const shown = this.shown = { ...given, end: this.clock.end };
      if (options.beside) {
        this.near = options.beside.near;
        this.deep = options.beside.deep;
      }
      this.extent = wholeExtent(shown);
      this.backdrop = new Backdrop(shown.world);
      this.timeline = new Timeline(shown);
      this.legend = legendOf(shown);
      this.build();
      this.clock.listen(() => {
        this.tell();
        this.later();
      }, options.onSeek);
      this.draw();
      this.resized = new ResizeObserver(() => this.draw());
      this.resized.observe(this.canvas);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal: this.ended.signal });
      if (options.recording && options.eager) this.read();
    }
    stage;
    options;
    clock;
    shown;
    extent;
    backdrop;
    timeline;
    canvas = h("canvas", { class: "view", role: "img" });
    solid = h("div", { class: "space", hidden: true });
    strip = h("canvas", { class: "strip", "aria-hidden": "true" });
    button = h("button", { type: "button" }, "Play");
    slider = h("input", { type: "range", min: 0, step: 0.05, "aria-label": "Time in the run, seconds" });
    rate = h("select", { "aria-label": "Speed of the replay" }, ...SPEEDS.map((n) => h("option", { value: n }, `× ${n}`)));
    near = h("input", { type: "checkbox" });
    deep = h("button", { type: "button", "aria-pressed": "false" }, "3D");
    now = h("span", { class: "now" });
    says = h("div", { class: "says", "aria-live": "off" });
    ended = new AbortController();
    resized;
    legend;
    layers = null;
    inspector = null;
    space = null;
    said = "";
    asked = false;
    static ofRun(stage, world, run, options = {}) {
      return new _Replay(stage, decodeRun(world, run), options);
    }
    /* For a page that goes on to show something else. */
    close() {
      this.clock.stop();
      this.resized.disconnect();
      this.ended.abort();
      this.space?.close();
    }
    build() {
      const { stage, slider, rate, clock, options } = this;
      this.canvas.setAttribute("aria-label", "The run seen from above. " + this.shown.marks.map((mark) => mark.label).join(". "));
      slider.max = String(clock.end);
      slider.value = String(clock.time);
      rate.value = String(clock.rate);
      stage.classList.add("stage");
      stage.tabIndex = 0;
      stage.setAttribute("role", "group");
      stage.setAttribute("aria-label", (options.name ? options.name + ". " : "") + "Player. " + KEYS);
      const more = h("div", { class: "more" });
      stage.append(h("div", { class: "views" }, this.canvas, this.solid));
      if (!options.beside) {
        const film2 = h("details", { class: "films" }, h("summary", {}, "Film"));
        film2.addEventListener("toggle", () => {
          if (film2.open && film2.childElementCount < 2) film2.append(this.film());
        });
        stage.append(h(
          "div",
          { class: "ctl" },
          this.button,
          slider,
          this.now,
          rate,
          h("label", {}, this.near, " follow the robot"),
          isHere("space") && this.deep,
          options.linkTo && this.linkButton(options.linkTo),
          film2
        ));
      }
      stage.append(this.strip, this.rowPicker(), this.says, more, this.legend);
      if (options.recording) more.append(this.messages());
      this.buildMarks();
      this.button.addEventListener("click", () => clock.toggle());
      slider.addEventListener("input", () => clock.jump(Number(slider.value)));
      rate.addEventListener("change", () => {
        clock.rate = Number(rate.value);
      });
      const { signal } = this.ended;
      this.near.addEventListener("change", () => this.draw(), { signal });
      this.deep.addEventListener("click", () => this.toggleSpace(), { signal });
      stage.addEventListener("keydown", (event) => this.press(event));
      this.solid.addEventListener("keydown", (event) => event.stopPropagation());
      const scrub = (event) => {
        const box = this.strip.getBoundingClientRect();
        this.strip.title = this.timeline.wordsAt(event.clientY - box.top);
        if (event.type === "pointermove" && !event.buttons) return;
        clock.jump(this.timeline.timeAt(event.clientX - box.left, box.width));
      };
      this.strip.addEventListener("pointerdown", (event) => {
        this.strip.setPointerCapture(event.pointerId);
        scrub(event);
      });
      this.strip.addEventListener("pointermove", scrub);
    }
    /* Which rows the timeline has. */
    rowPicker() {
      const groups = GROUPS.flatMap(([kind, title]) => {
        const rows = this.timeline.rows.filter((row) => row.kind === kind);
        if (!rows.length) return [];
        const boxes = rows.map((row) => {
          const box = h("input", { type: "checkbox", checked: this.timeline.chosen.has(row), change: () => {
            box.checked = this.timeline.choose(row, box.checked);
            this.later();
          } });
          return { box, label: h("label", {}, box, ` ${row.name}`, row.title && h("span", { class: "soft small" }, ` ${row.title}`), row.note && h("span", { class: "soft small" }, ` (${row.note})`)) };
        });
        const all = h("button", { type: "button", class: "plain", click: () => {
          const on = !boxes.every(({ box }) => box.checked);
          boxes.forEach(({ box }, i) => {
            box.checked = this.timeline.choose(rows[i], on);
          });
          this.later();
        } }, "all, none");
        return [h("fieldset", {}, h("legend", {}, title), rows.length > 1 && all, ...boxes.map(({ label: label2 }) => label2))];
      });
      return h("details", { class: "rows" }, h("summary", {}, "Rows of the timeline"), ...groups);
    }
    messages() {
      const told = h("div", { role: "status" }), box = h("details", { class: "messages" }, h("summary", {}, "Messages at this time"), told);
      box.addEventListener("toggle", () => {
        if (!box.open) return;
        if (!this.asked) told.textContent = "Reading the recording …";
        this.read();
        this.inspector?.show(this.clock.time);
      });
      this.ended.signal.addEventListener("abort", () => box.remove());
      this.reading = (words) => {
        told.textContent = words;
      };
      this.ready = (inspector) => {
        told.textContent = "";
        box.append(inspector.element);
        inspector.show(this.clock.time);
      };
      return box;
    }
    reading = () => {
    };
    ready = () => {
    };
    read() {
      if (this.asked || !this.options.recording) return;
      this.asked = true;
      this.options.recording().then((recording) => {
        if (this.ended.signal.aborted) return;
        this.layers = new MessageLayers(recording, this.options.placing ?? ownPlacing(this.shown), () => this.later());
        const kinds = [[["sensor_msgs/LaserScan", "sensor_msgs/PointCloud2"], "still"], [["nav_msgs/Path"], "dash"]];
        this.legend.append(...layerEntries(kinds.flatMap(([types, kind]) => recording.ofType(...types).map((topic) => ({ name: topic.name, kind })))));
        this.inspector = new Inspector(recording);
        this.ready(this.inspector);
        this.draw();
      }).catch((error) => {
        if (!this.ended.signal.aborted) this.reading(`The recording cannot be read: ${error.message}`);
      });
    }
    linkButton(linkTo) {
      const button = h("button", { type: "button", title: "Copy a link to this moment", click: () => {
        const done = (words) => {
          button.textContent = words;
          setTimeout(() => {
            button.textContent = "Link";
          }, 1200);
        };
        const link = linkTo(this.clock.time);
        void navigator.clipboard?.writeText(link).then(() => done("Copied"), () => done("In the address"));
        if (!navigator.clipboard) done("In the address");
      } }, "Link");
      return button;
    }
    film() {
      const canvas = document.createElement("canvas"), first2 = this.shown.marks[0];
      const paint = () => {
        this.draw();
        const view = this.solid.hidden ? this.canvas : this.space?.canvas ?? this.canvas, head = 44;
        if (!canvas.width) {
          canvas.width = view.width & ~1;
          canvas.height = view.height + this.strip.height + head & ~1;
        }
        const pen = canvas.getContext("2d"), look = currentLook();
        pen.fillStyle = look.card;
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.fillStyle = look.ink;
        pen.font = "600 20px system-ui, sans-serif";
        pen.fillText(`${this.options.name ?? "stressfield"}   ${this.clock.time.toFixed(1)} s`, 12, 29, canvas.width - 24);
        pen.drawImage(view, 0, head);
        pen.drawImage(this.strip, 0, head + view.height);
      };
      const name = (this.options.name ?? "run").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
      return filmForm(this.clock, canvas, paint, {
        name,
        from: first2 ? Math.max(0, first2.at - 5) : 0,
        to: first2 ? Math.min(this.clock.end, first2.at + 5) : Math.min(this.clock.end, 30)
      });
    }
    toggleSpace() {
      const on = this.solid.hidden;
      this.deep.setAttribute("aria-pressed", String(on));
      if (!on) {
        this.solid.hidden = true;
        this.canvas.hidden = false;
        this.draw();
        return;
      }
      this.solid.hidden = false;
      this.canvas.hidden = true;
      if (this.space) {
        this.draw();
        return;
      }
      this.solid.replaceChildren(h("p", { class: "soft note" }, "Loading …"));
      part("space").then(({ Space }) => {
        this.solid.replaceChildren();
        this.space = new Space(this.solid, this.shown, () => this.draw());
        this.draw();
      }).catch((error) => {
        this.solid.replaceChildren(h("p", { class: "note", role: "alert" }, `It cannot be shown in space: ${error.message}`));
      });
    }
    buildMarks() {
      if (!this.shown.marks.length) return;
      const list = h("ul", { class: "marks" });
      this.shown.marks.forEach((mark, i) => list.append(h("li", {}, h("button", { type: "button", title: "Look at this moment", click: () => {
        this.near.checked = true;
        this.clock.jump(mark.at);
      } }, h("span", { class: "n" }, String(i + 1)), mark.label))));
      this.stage.after(list);
    }
    press(event) {
      if (event.ctrlKey || event.metaKey || event.target === this.rate || event.target instanceof HTMLInputElement && event.target !== this.slider) return;
      const { clock } = this, step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
      const marks = this.shown.marks.map((mark) => mark.at).sort((a, b) => a - b);
      const actions = {
        " ": () => clock.toggle(),
        ArrowLeft: () => clock.jump(clock.time - step),
        ArrowRight: () => clock.jump(clock.time + step),
        Home: () => clock.jump(0),
        End: () => clock.jump(clock.end),
        n: () => clock.jump(marks.find((t) => t > clock.time + 0.01) ?? clock.time),
        p: () => clock.jump(marks.findLast((t) => t < clock.time - 0.01) ?? clock.time),
        f: () => this.near.click(),
        v: () => {
          if (isHere("space")) this.deep.click();
        }
      };
      const action = event.key === " " && event.target !== event.currentTarget && event.target !== this.slider ? void 0 : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    /* ---- geometry ---- */
    view(width) {
      const [x0, y0, x1, y1] = this.extent;
      const height = Math.round(Math.max(250, Math.min(540, (y1 - y0) / (x1 - x0) * width)));
      const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
      let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
      const first2 = this.shown.tracks[0];
      if (this.near.checked && first2) {
        const pose = poseAt(first2, this.clock.time);
        const length = (this.shown.world.robots[0]?.length ?? 800) / 1e3;
        scale = Math.max(whole, Math.min(width, height) / (5 * length));
        cx = pose.x;
        cy = pose.y;
      }
      return { width, height, scale, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
    }
    /* ---- drawing ---- */
    waiting = false;
    /* Many changes before the next picture are drawn once. */
    later() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        if (!this.ended.signal.aborted) this.draw();
      });
    }
    draw() {
      const look = currentLook(), { shown } = this, { time } = this.clock, layers = this.layers?.at(time) ?? NOTHING;
      if (this.solid.hidden) {
        const view = this.view(this.canvas.clientWidth || 900), pen = fitCanvas(this.canvas, view.width, view.height);
        this.backdrop.draw(pen, view, look);
        drawGrids(pen, view, layers.grids);
        drawWays(pen, view, look, shown.ways, layers.ways);
        drawEnds(pen, view, look, shown.tracks, shown.ways);
        const named = this.near.checked || shown.walks.length <= NAMED_MAX;
        for (const walk of shown.walks) drawWalk(pen, view, look, walk, time, shown.marks, named);
        drawClouds(pen, view, look, layers.clouds);
        shown.tracks.forEach((track, place2) => drawTrack(pen, view, look, {
          track,
          place: place2,
          robot: shown.world.robots.find((robot) => robot.name === track.robot),
          time,
          end: shown.end,
          marks: shown.marks,
          bad: shown.bad,
          named: shown.tracks.length > 1
        }));
        drawMarks(pen, view, look, shown.marks, time);
        drawRuler(pen, view, look);
      } else this.space?.draw(time, layers, look, this.near.checked);
      this.timeline.draw(this.strip, look, time, this.options.apart ?? null);
      this.inspector?.show(time);
      this.tell();
    }
    tell() {
      const { time, end, playing } = this.clock, { shown } = this;
      const speeds = shown.tracks.slice(0, 4).map((track) => valueAt(track, track.speed, time).toFixed(2)).join(", ");
      const words = `${time.toFixed(1)} s of ${end.toFixed(1)} s${speeds ? ` · ${speeds} m/s` : ""}`;
      if (this.now.textContent !== words) this.now.textContent = words;
      this.slider.value = String(time);
      this.slider.setAttribute("aria-valuetext", `${time.toFixed(1)} seconds`);
      this.button.textContent = playing ? "Pause" : "Play";
      const bad = shown.marks.filter((mark) => mark.from <= time + 0.05 && time <= mark.to + 0.6);
      const latest = new Map(shown.events.filter((said2) => said2.at <= time).map((said2) => [said2.topic, said2]));
      const said = Array.from(latest.values()).sort((a, b) => a.at - b.at).slice(-3);
      const key = [...bad.map((mark) => mark.name), ...said.map((event) => event.topic + event.at)].join("|");
      if (key === this.said && this.says.childNodes.length) return;
      this.said = key;
      const parts = [];
      if (bad.length) parts.push(h("span", { class: "alarm" }, "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  "));
      for (const event of said) parts.push(h("b", {}, event.text), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
      this.says.replaceChildren(...parts.length ? parts : ["The robot has reported nothing so far."]);
    }
  };
  function wholeExtent({ world, tracks, walks, ways }) {
    let [x0, y0, x1, y1] = world.extent.map((v) => v / 1e3);
    const take = ({ x, y }) => {
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
    };
    for (const way of [...tracks, ...walks]) for (let i = 0; i < way.t.length; i++) take({ x: at(way.x, i), y: at(way.y, i) });
    for (const [x, y] of ways.flat()) take({ x, y });
    const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
    return [x0 - pad, y0 - pad, x1 + pad, y1 + pad];
  }

  // node_modules/@foxglove/rosbag/dist/esm/Bag.js
  var import_rostime4 = __toESM(require_dist());

  // node_modules/@foxglove/rosbag/dist/esm/BagReader.js
  var import_rostime = __toESM(require_dist());

  // node_modules/@foxglove/rosbag/dist/esm/fields.js
  var EQUALS_CHARCODE = "=".charCodeAt(0);
  function extractFields(buffer) {
    if (buffer.length < 4) {
      throw new Error("fields are truncated.");
    }
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    let offset = 0;
    const fields = {};
    while (offset < buffer.length) {
      const length = view.getInt32(offset, true);
      offset += 4;
      if (offset + length > buffer.length) {
        throw new Error("Header fields are corrupt.");
      }
      const field = buffer.subarray(offset, offset + length);
      const index = field.indexOf(EQUALS_CHARCODE);
      if (index === -1) {
        throw new Error("Header field is missing equals sign.");
      }
      const fieldName = new TextDecoder().decode(field.subarray(0, index));
      fields[fieldName] = field.subarray(index + 1);
      offset += length;
    }
    return fields;
  }
  function extractTime(buffer, offset) {
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const sec = view.getUint32(offset, true);
    const nsec = view.getUint32(offset + 4, true);
    return { sec, nsec };
  }

  // node_modules/@foxglove/rosbag/dist/esm/nmerge.js
  var import_heap = __toESM(require_heap2());

  // node_modules/@foxglove/rosbag/dist/esm/record.js
  function readUint32(buff) {
    const view = new DataView(buff.buffer, buff.byteOffset, buff.byteLength);
    return view.getUint32(0, true);
  }
  function readInt32(buff) {
    const view = new DataView(buff.buffer, buff.byteOffset, buff.byteLength);
    return view.getInt32(0, true);
  }
  function readBigUInt64(buff) {
    const view = new DataView(buff.buffer, buff.byteOffset, buff.byteLength);
    const bigint = BigInt(view.getUint32(0, true)) | BigInt(view.getUint32(4, true)) << 32n;
    if (bigint > Number.MAX_SAFE_INTEGER) {
      throw new Error(`Read a bigint larger than 2**53: ${bigint}`);
    }
    return Number(bigint);
  }
  var Record = class {
    parseData(_buffer) {
    }
  };
  var BagHeader = class extends Record {
    constructor(fields) {
      super();
      this.indexPosition = readBigUInt64(fields.index_pos);
      this.connectionCount = readInt32(fields.conn_count);
      this.chunkCount = readInt32(fields.chunk_count);
    }
  };
  BagHeader.opcode = 3;
  var Chunk = class extends Record {
    constructor(fields) {
      super();
      this.compression = new TextDecoder().decode(fields.compression);
      this.size = readUint32(fields.size);
    }
    parseData(buffer) {
      this.data = buffer;
    }
  };
  Chunk.opcode = 5;
  var getField = (fields, key) => {
    if (fields[key] == void 0) {
      throw new Error(`Connection header is missing ${key}.`);
    }
    return new TextDecoder().decode(fields[key]);
  };
  var Connection = class extends Record {
    constructor(fields) {
      super();
      this.conn = readUint32(fields.conn);
      this.topic = new TextDecoder().decode(fields.topic);
      this.type = void 0;
      this.md5sum = void 0;
      this.messageDefinition = "";
    }
    parseData(buffer) {
      const fields = extractFields(buffer);
      this.type = getField(fields, "type");
      this.md5sum = getField(fields, "md5sum");
      this.messageDefinition = getField(fields, "message_definition");
      if (fields.callerid != void 0) {
        this.callerid = new TextDecoder().decode(fields.callerid);
      }
      if (fields.latching != void 0) {
        this.latching = new TextDecoder().decode(fields.latching) === "1";
      }
    }
  };
  Connection.opcode = 7;
  var MessageData = class extends Record {
    constructor(fields) {
      super();
      this.conn = readUint32(fields.conn);
      this.time = extractTime(fields.time, 0);
    }
    parseData(buffer) {
      this.data = buffer;
    }
  };
  MessageData.opcode = 2;
  var IndexData = class extends Record {
    constructor(fields) {
      super();
      this.ver = readUint32(fields.ver);
      this.conn = readUint32(fields.conn);
      this.count = readUint32(fields.count);
    }
    parseData(buffer) {
      this.indices = [];
      const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      for (let i = 0; i < this.count; i++) {
        this.indices.push({
          time: extractTime(buffer, i * 12),
          offset: view.getUint32(i * 12 + 8, true)
        });
      }
    }
  };
  IndexData.opcode = 4;
  var ChunkInfo = class extends Record {
    constructor(fields) {
      super();
      this.connections = [];
      this.ver = readUint32(fields.ver);
      this.chunkPosition = readBigUInt64(fields.chunk_pos);
      this.startTime = extractTime(fields.start_time, 0);
      this.endTime = extractTime(fields.end_time, 0);
      this.count = readUint32(fields.count);
    }
    parseData(buffer) {
      this.connections = [];
      const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      for (let i = 0; i < this.count; i++) {
        this.connections.push({
          conn: view.getUint32(i * 8, true),
          count: view.getUint32(i * 8 + 4, true)
        });
      }
    }
  };
  ChunkInfo.opcode = 6;

  // node_modules/@foxglove/rosbag/dist/esm/ForwardIterator.js
  var import_rostime2 = __toESM(require_dist());
  var import_heap3 = __toESM(require_heap2());

  // node_modules/@foxglove/rosbag/dist/esm/BaseIterator.js
  var import_heap2 = __toESM(require_heap2());

  // node_modules/@foxglove/rosbag/dist/esm/ReverseIterator.js
  var import_rostime3 = __toESM(require_dist());
  var import_heap4 = __toESM(require_heap2());

  // src/recording/bag1.ts
  var import_lz4js2 = __toESM(require_lz4(), 1);

  // node_modules/@foxglove/crc/dist/esm/src/index.js
  function crc32GenerateTables({ polynomial, numTables }) {
    const table = new Uint32Array(256 * numTables);
    for (let i = 0; i < 256; i++) {
      let r = i;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      r = (r & 1) * polynomial ^ r >>> 1;
      table[i] = r;
    }
    for (let i = 256; i < table.length; i++) {
      const value = table[i - 256];
      table[i] = table[value & 255] ^ value >>> 8;
    }
    return table;
  }
  var CRC32_TABLE = crc32GenerateTables({ polynomial: 3988292384, numTables: 8 });

  // node_modules/heap-js/dist/heap-js.es5.js
  var __awaiter = function(thisArg, _arguments, P, generator) {
    function adopt(value) {
      return value instanceof P ? value : new P(function(resolve) {
        resolve(value);
      });
    }
    return new (P || (P = Promise))(function(resolve, reject) {
      function fulfilled(value) {
        try {
          step(generator.next(value));
        } catch (e) {
          reject(e);
        }
      }
      function rejected(value) {
        try {
          step(generator["throw"](value));
        } catch (e) {
          reject(e);
        }
      }
      function step(result) {
        result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
      }
      step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
  };
  var __generator$1 = function(thisArg, body) {
    var _ = { label: 0, sent: function() {
      if (t[0] & 1) throw t[1];
      return t[1];
    }, trys: [], ops: [] }, f, y, t, g = Object.create((typeof Iterator === "function" ? Iterator : Object).prototype);
    return g.next = verb(0), g["throw"] = verb(1), g["return"] = verb(2), typeof Symbol === "function" && (g[Symbol.iterator] = function() {
      return this;
    }), g;
    function verb(n) {
      return function(v) {
        return step([n, v]);
      };
    }
    function step(op) {
      if (f) throw new TypeError("Generator is already executing.");
      while (g && (g = 0, op[0] && (_ = 0)), _) try {
        if (f = 1, y && (t = op[0] & 2 ? y["return"] : op[0] ? y["throw"] || ((t = y["return"]) && t.call(y), 0) : y.next) && !(t = t.call(y, op[1])).done) return t;
        if (y = 0, t) op = [op[0] & 2, t.value];
        switch (op[0]) {
          case 0:
          case 1:
            t = op;
            break;
          case 4:
            _.label++;
            return { value: op[1], done: false };
          case 5:
            _.label++;
            y = op[1];
            op = [0];
            continue;
          case 7:
            op = _.ops.pop();
            _.trys.pop();
            continue;
          default:
            if (!(t = _.trys, t = t.length > 0 && t[t.length - 1]) && (op[0] === 6 || op[0] === 2)) {
              _ = 0;
              continue;
            }
            if (op[0] === 3 && (!t || op[1] > t[0] && op[1] < t[3])) {
              _.label = op[1];
              break;
            }
            if (op[0] === 6 && _.label < t[1]) {
              _.label = t[1];
              t = op;
              break;
            }
            if (t && _.label < t[2]) {
              _.label = t[2];
              _.ops.push(op);
              break;
            }
            if (t[2]) _.ops.pop();
            _.trys.pop();
            continue;
        }
        op = body.call(thisArg, _);
      } catch (e) {
        op = [6, e];
        y = 0;
      } finally {
        f = t = 0;
      }
      if (op[0] & 5) throw op[1];
      return { value: op[0] ? op[1] : void 0, done: true };
    }
  };
  var __read$1 = function(o, n) {
    var m = typeof Symbol === "function" && o[Symbol.iterator];
    if (!m) return o;
    var i = m.call(o), r, ar = [], e;
    try {
      while ((n === void 0 || n-- > 0) && !(r = i.next()).done) ar.push(r.value);
    } catch (error) {
      e = { error };
    } finally {
      try {
        if (r && !r.done && (m = i["return"])) m.call(i);
      } finally {
        if (e) throw e.error;
      }
    }
    return ar;
  };
  var __spreadArray$1 = function(to, from, pack) {
    if (pack || arguments.length === 2) for (var i = 0, l = from.length, ar; i < l; i++) {
      if (ar || !(i in from)) {
        if (!ar) ar = Array.prototype.slice.call(from, 0, i);
        ar[i] = from[i];
      }
    }
    return to.concat(ar || Array.prototype.slice.call(from));
  };
  var __values = function(o) {
    var s = typeof Symbol === "function" && Symbol.iterator, m = s && o[s], i = 0;
    if (m) return m.call(o);
    if (o && typeof o.length === "number") return {
      next: function() {
        if (o && i >= o.length) o = void 0;
        return { value: o && o[i++], done: !o };
      }
    };
    throw new TypeError(s ? "Object is not iterable." : "Symbol.iterator is not defined.");
  };
  var HeapAsync = (
    /** @class */
    (function() {
      function HeapAsync2(compare5) {
        if (compare5 === void 0) {
          compare5 = HeapAsync2.minComparator;
        }
        var _this = this;
        this.compare = compare5;
        this.heapArray = [];
        this._limit = 0;
        this.offer = this.add;
        this.element = this.peek;
        this.poll = this.pop;
        this._invertedCompare = function(a, b) {
          return _this.compare(a, b).then(function(res) {
            return -1 * res;
          });
        };
      }
      HeapAsync2.getChildrenIndexOf = function(idx) {
        return [idx * 2 + 1, idx * 2 + 2];
      };
      HeapAsync2.getParentIndexOf = function(idx) {
        if (idx <= 0) {
          return -1;
        }
        var whichChildren = idx % 2 ? 1 : 2;
        return Math.floor((idx - whichChildren) / 2);
      };
      HeapAsync2.getSiblingIndexOf = function(idx) {
        if (idx <= 0) {
          return -1;
        }
        var whichChildren = idx % 2 ? 1 : -1;
        return idx + whichChildren;
      };
      HeapAsync2.minComparator = function(a, b) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            if (a > b) {
              return [2, 1];
            } else if (a < b) {
              return [2, -1];
            } else {
              return [2, 0];
            }
          });
        });
      };
      HeapAsync2.maxComparator = function(a, b) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            if (b > a) {
              return [2, 1];
            } else if (b < a) {
              return [2, -1];
            } else {
              return [2, 0];
            }
          });
        });
      };
      HeapAsync2.minComparatorNumber = function(a, b) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            return [2, a - b];
          });
        });
      };
      HeapAsync2.maxComparatorNumber = function(a, b) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            return [2, b - a];
          });
        });
      };
      HeapAsync2.defaultIsEqual = function(a, b) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            return [2, a === b];
          });
        });
      };
      HeapAsync2.print = function(heap) {
        function deep(i2) {
          var pi = HeapAsync2.getParentIndexOf(i2);
          return Math.floor(Math.log2(pi + 1));
        }
        function repeat(str, times) {
          var out = "";
          for (; times > 0; --times) {
            out += str;
          }
          return out;
        }
        var node2 = 0;
        var lines = [];
        var maxLines = deep(heap.length - 1) + 2;
        var maxLength = 0;
        while (node2 < heap.length) {
          var i = deep(node2) + 1;
          if (node2 === 0) {
            i = 0;
          }
          var nodeText = String(heap.get(node2));
          if (nodeText.length > maxLength) {
            maxLength = nodeText.length;
          }
          lines[i] = lines[i] || [];
          lines[i].push(nodeText);
          node2 += 1;
        }
        return lines.map(function(line, i2) {
          var times = Math.pow(2, maxLines - i2) - 1;
          return repeat(" ", Math.floor(times / 2) * maxLength) + line.map(function(el) {
            var half = (maxLength - el.length) / 2;
            return repeat(" ", Math.ceil(half)) + el + repeat(" ", Math.floor(half));
          }).join(repeat(" ", times * maxLength));
        }).join("\n");
      };
      HeapAsync2.heapify = function(arr, compare5) {
        return __awaiter(this, void 0, void 0, function() {
          var heap;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heap = new HeapAsync2(compare5);
                heap.heapArray = arr;
                return [4, heap.init()];
              case 1:
                _a.sent();
                return [2, heap];
            }
          });
        });
      };
      HeapAsync2.heappop = function(heapArr, compare5) {
        var heap = new HeapAsync2(compare5);
        heap.heapArray = heapArr;
        return heap.pop();
      };
      HeapAsync2.heappush = function(heapArr, item, compare5) {
        return __awaiter(this, void 0, void 0, function() {
          var heap;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heap = new HeapAsync2(compare5);
                heap.heapArray = heapArr;
                return [4, heap.push(item)];
              case 1:
                _a.sent();
                return [
                  2
                  /*return*/
                ];
            }
          });
        });
      };
      HeapAsync2.heappushpop = function(heapArr, item, compare5) {
        var heap = new HeapAsync2(compare5);
        heap.heapArray = heapArr;
        return heap.pushpop(item);
      };
      HeapAsync2.heapreplace = function(heapArr, item, compare5) {
        var heap = new HeapAsync2(compare5);
        heap.heapArray = heapArr;
        return heap.replace(item);
      };
      HeapAsync2.heaptop = function(heapArr, n, compare5) {
        if (n === void 0) {
          n = 1;
        }
        var heap = new HeapAsync2(compare5);
        heap.heapArray = heapArr;
        return heap.top(n);
      };
      HeapAsync2.heapbottom = function(heapArr, n, compare5) {
        if (n === void 0) {
          n = 1;
        }
        var heap = new HeapAsync2(compare5);
        heap.heapArray = heapArr;
        return heap.bottom(n);
      };
      HeapAsync2.nlargest = function(n, iterable, compare5) {
        return __awaiter(this, void 0, void 0, function() {
          var heap;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heap = new HeapAsync2(compare5);
                heap.heapArray = __spreadArray$1([], __read$1(iterable), false);
                return [4, heap.init()];
              case 1:
                _a.sent();
                return [2, heap.top(n)];
            }
          });
        });
      };
      HeapAsync2.nsmallest = function(n, iterable, compare5) {
        return __awaiter(this, void 0, void 0, function() {
          var heap;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heap = new HeapAsync2(compare5);
                heap.heapArray = __spreadArray$1([], __read$1(iterable), false);
                return [4, heap.init()];
              case 1:
                _a.sent();
                return [2, heap.bottom(n)];
            }
          });
        });
      };
      HeapAsync2.prototype.add = function(element) {
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                return [4, this._sortNodeUp(this.heapArray.push(element) - 1)];
              case 1:
                _a.sent();
                this._applyLimit();
                return [2, true];
            }
          });
        });
      };
      HeapAsync2.prototype.addAll = function(elements) {
        return __awaiter(this, void 0, void 0, function() {
          var i, l;
          var _a;
          return __generator$1(this, function(_b) {
            switch (_b.label) {
              case 0:
                i = this.length;
                (_a = this.heapArray).push.apply(_a, __spreadArray$1([], __read$1(elements), false));
                l = this.length;
                _b.label = 1;
              case 1:
                if (!(i < l)) return [3, 4];
                return [4, this._sortNodeUp(i)];
              case 2:
                _b.sent();
                _b.label = 3;
              case 3:
                ++i;
                return [3, 1];
              case 4:
                this._applyLimit();
                return [2, true];
            }
          });
        });
      };
      HeapAsync2.prototype.bottom = function() {
        return __awaiter(this, arguments, void 0, function(n) {
          if (n === void 0) {
            n = 1;
          }
          return __generator$1(this, function(_a) {
            if (this.heapArray.length === 0 || n <= 0) {
              return [2, []];
            } else if (this.heapArray.length === 1) {
              return [2, [this.heapArray[0]]];
            } else if (n >= this.heapArray.length) {
              return [2, __spreadArray$1([], __read$1(this.heapArray), false)];
            } else {
              return [2, this._bottomN_push(~~n)];
            }
          });
        });
      };
      HeapAsync2.prototype.check = function() {
        return __awaiter(this, void 0, void 0, function() {
          var j, el, children, children_1, children_1_1, ch, e_1_1;
          var e_1, _a;
          return __generator$1(this, function(_b) {
            switch (_b.label) {
              case 0:
                j = 0;
                _b.label = 1;
              case 1:
                if (!(j < this.heapArray.length)) return [3, 10];
                el = this.heapArray[j];
                children = this.getChildrenOf(j);
                _b.label = 2;
              case 2:
                _b.trys.push([2, 7, 8, 9]);
                children_1 = (e_1 = void 0, __values(children)), children_1_1 = children_1.next();
                _b.label = 3;
              case 3:
                if (!!children_1_1.done) return [3, 6];
                ch = children_1_1.value;
                return [4, this.compare(el, ch)];
              case 4:
                if (_b.sent() > 0) {
                  return [2, el];
                }
                _b.label = 5;
              case 5:
                children_1_1 = children_1.next();
                return [3, 3];
              case 6:
                return [3, 9];
              case 7:
                e_1_1 = _b.sent();
                e_1 = { error: e_1_1 };
                return [3, 9];
              case 8:
                try {
                  if (children_1_1 && !children_1_1.done && (_a = children_1.return)) _a.call(children_1);
                } finally {
                  if (e_1) throw e_1.error;
                }
                return [
                  7
                  /*endfinally*/
                ];
              case 9:
                ++j;
                return [3, 1];
              case 10:
                return [
                  2
                  /*return*/
                ];
            }
          });
        });
      };
      HeapAsync2.prototype.clear = function() {
        this.heapArray = [];
      };
      HeapAsync2.prototype.clone = function() {
        var cloned = new HeapAsync2(this.comparator());
        cloned.heapArray = this.toArray();
        cloned._limit = this._limit;
        return cloned;
      };
      HeapAsync2.prototype.comparator = function() {
        return this.compare;
      };
      HeapAsync2.prototype.contains = function(o_1) {
        return __awaiter(this, arguments, void 0, function(o, fn) {
          var _a, _b, el, e_2_1;
          var e_2, _c;
          if (fn === void 0) {
            fn = HeapAsync2.defaultIsEqual;
          }
          return __generator$1(this, function(_d) {
            switch (_d.label) {
              case 0:
                _d.trys.push([0, 5, 6, 7]);
                _a = __values(this.heapArray), _b = _a.next();
                _d.label = 1;
              case 1:
                if (!!_b.done) return [3, 4];
                el = _b.value;
                return [4, fn(el, o)];
              case 2:
                if (_d.sent()) {
                  return [2, true];
                }
                _d.label = 3;
              case 3:
                _b = _a.next();
                return [3, 1];
              case 4:
                return [3, 7];
              case 5:
                e_2_1 = _d.sent();
                e_2 = { error: e_2_1 };
                return [3, 7];
              case 6:
                try {
                  if (_b && !_b.done && (_c = _a.return)) _c.call(_a);
                } finally {
                  if (e_2) throw e_2.error;
                }
                return [
                  7
                  /*endfinally*/
                ];
              case 7:
                return [2, false];
            }
          });
        });
      };
      HeapAsync2.prototype.init = function(array) {
        return __awaiter(this, void 0, void 0, function() {
          var i;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                if (array) {
                  this.heapArray = __spreadArray$1([], __read$1(array), false);
                }
                i = HeapAsync2.getParentIndexOf(this.length - 1);
                _a.label = 1;
              case 1:
                if (!(i >= 0)) return [3, 4];
                return [4, this._sortNodeDown(i)];
              case 2:
                _a.sent();
                _a.label = 3;
              case 3:
                --i;
                return [3, 1];
              case 4:
                this._applyLimit();
                return [
                  2
                  /*return*/
                ];
            }
          });
        });
      };
      HeapAsync2.prototype.isEmpty = function() {
        return this.length === 0;
      };
      HeapAsync2.prototype.leafs = function() {
        if (this.heapArray.length === 0) {
          return [];
        }
        var pi = HeapAsync2.getParentIndexOf(this.heapArray.length - 1);
        return this.heapArray.slice(pi + 1);
      };
      Object.defineProperty(HeapAsync2.prototype, "length", {
        /**
         * Length of the heap.
         * @return {Number}
         */
        get: function() {
          return this.heapArray.length;
        },
        enumerable: false,
        configurable: true
      });
      Object.defineProperty(HeapAsync2.prototype, "limit", {
        /**
         * Get length limit of the heap.
         * @return {Number}
         */
        get: function() {
          return this._limit;
        },
        /**
         * Set length limit of the heap.
         * @return {Number}
         */
        set: function(_l) {
          this._limit = ~~_l;
          this._applyLimit();
        },
        enumerable: false,
        configurable: true
      });
      HeapAsync2.prototype.peek = function() {
        return this.heapArray[0];
      };
      HeapAsync2.prototype.pop = function() {
        return __awaiter(this, void 0, void 0, function() {
          var last;
          return __generator$1(this, function(_a) {
            last = this.heapArray.pop();
            if (this.length > 0 && last !== void 0) {
              return [2, this.replace(last)];
            }
            return [2, last];
          });
        });
      };
      HeapAsync2.prototype.push = function() {
        var elements = [];
        for (var _i = 0; _i < arguments.length; _i++) {
          elements[_i] = arguments[_i];
        }
        return __awaiter(this, void 0, void 0, function() {
          return __generator$1(this, function(_a) {
            if (elements.length < 1) {
              return [2, false];
            } else if (elements.length === 1) {
              return [2, this.add(elements[0])];
            } else {
              return [2, this.addAll(elements)];
            }
          });
        });
      };
      HeapAsync2.prototype.pushpop = function(element) {
        return __awaiter(this, void 0, void 0, function() {
          var _a;
          return __generator$1(this, function(_b) {
            switch (_b.label) {
              case 0:
                return [4, this.compare(this.heapArray[0], element)];
              case 1:
                if (!(_b.sent() < 0)) return [3, 3];
                _a = __read$1([this.heapArray[0], element], 2), element = _a[0], this.heapArray[0] = _a[1];
                return [4, this._sortNodeDown(0)];
              case 2:
                _b.sent();
                _b.label = 3;
              case 3:
                return [2, element];
            }
          });
        });
      };
      HeapAsync2.prototype.remove = function(o_1) {
        return __awaiter(this, arguments, void 0, function(o, fn) {
          var queue, idx, children;
          var _this = this;
          if (fn === void 0) {
            fn = HeapAsync2.defaultIsEqual;
          }
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                if (!this.heapArray.length)
                  return [2, false];
                if (!(o === void 0)) return [3, 2];
                return [4, this.pop()];
              case 1:
                _a.sent();
                return [2, true];
              case 2:
                queue = [0];
                _a.label = 3;
              case 3:
                if (!queue.length) return [3, 13];
                idx = queue.shift();
                return [4, fn(this.heapArray[idx], o)];
              case 4:
                if (!_a.sent()) return [3, 11];
                if (!(idx === 0)) return [3, 6];
                return [4, this.pop()];
              case 5:
                _a.sent();
                return [3, 10];
              case 6:
                if (!(idx === this.heapArray.length - 1)) return [3, 7];
                this.heapArray.pop();
                return [3, 10];
              case 7:
                this.heapArray.splice(idx, 1, this.heapArray.pop());
                return [4, this._sortNodeUp(idx)];
              case 8:
                _a.sent();
                return [4, this._sortNodeDown(idx)];
              case 9:
                _a.sent();
                _a.label = 10;
              case 10:
                return [2, true];
              case 11:
                children = HeapAsync2.getChildrenIndexOf(idx).filter(function(c) {
                  return c < _this.heapArray.length;
                });
                queue.push.apply(queue, __spreadArray$1([], __read$1(children), false));
                _a.label = 12;
              case 12:
                return [3, 3];
              case 13:
                return [2, false];
            }
          });
        });
      };
      HeapAsync2.prototype.replace = function(element) {
        return __awaiter(this, void 0, void 0, function() {
          var peek;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                peek = this.heapArray[0];
                this.heapArray[0] = element;
                return [4, this._sortNodeDown(0)];
              case 1:
                _a.sent();
                return [2, peek];
            }
          });
        });
      };
      HeapAsync2.prototype.size = function() {
        return this.length;
      };
      HeapAsync2.prototype.top = function() {
        return __awaiter(this, arguments, void 0, function(n) {
          if (n === void 0) {
            n = 1;
          }
          return __generator$1(this, function(_a) {
            if (this.heapArray.length === 0 || n <= 0) {
              return [2, []];
            } else if (this.heapArray.length === 1 || n === 1) {
              return [2, [this.heapArray[0]]];
            } else if (n >= this.heapArray.length) {
              return [2, __spreadArray$1([], __read$1(this.heapArray), false)];
            } else {
              return [2, this._topN_push(~~n)];
            }
          });
        });
      };
      HeapAsync2.prototype.toArray = function() {
        return __spreadArray$1([], __read$1(this.heapArray), false);
      };
      HeapAsync2.prototype.toString = function() {
        return this.heapArray.toString();
      };
      HeapAsync2.prototype.get = function(i) {
        return this.heapArray[i];
      };
      HeapAsync2.prototype.getChildrenOf = function(idx) {
        var _this = this;
        return HeapAsync2.getChildrenIndexOf(idx).map(function(i) {
          return _this.heapArray[i];
        }).filter(function(e) {
          return e !== void 0;
        });
      };
      HeapAsync2.prototype.getParentOf = function(idx) {
        var pi = HeapAsync2.getParentIndexOf(idx);
        return this.heapArray[pi];
      };
      HeapAsync2.prototype[Symbol.iterator] = function() {
        return __generator$1(this, function(_a) {
          switch (_a.label) {
            case 0:
              if (!this.length) return [3, 2];
              return [4, this.pop()];
            case 1:
              _a.sent();
              return [3, 0];
            case 2:
              return [
                2
                /*return*/
              ];
          }
        });
      };
      HeapAsync2.prototype.iterator = function() {
        return this;
      };
      HeapAsync2.prototype._applyLimit = function() {
        if (this._limit && this._limit < this.heapArray.length) {
          var rm = this.heapArray.length - this._limit;
          while (rm) {
            this.heapArray.pop();
            --rm;
          }
        }
      };
      HeapAsync2.prototype._bottomN_push = function(n) {
        return __awaiter(this, void 0, void 0, function() {
          var bottomHeap, startAt, parentStartAt, indices, i, arr, i;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                bottomHeap = new HeapAsync2(this.compare);
                bottomHeap.limit = n;
                bottomHeap.heapArray = this.heapArray.slice(-n);
                return [4, bottomHeap.init()];
              case 1:
                _a.sent();
                startAt = this.heapArray.length - 1 - n;
                parentStartAt = HeapAsync2.getParentIndexOf(startAt);
                indices = [];
                for (i = startAt; i > parentStartAt; --i) {
                  indices.push(i);
                }
                arr = this.heapArray;
                _a.label = 2;
              case 2:
                if (!indices.length) return [3, 6];
                i = indices.shift();
                return [4, this.compare(arr[i], bottomHeap.peek())];
              case 3:
                if (!(_a.sent() > 0)) return [3, 5];
                return [4, bottomHeap.replace(arr[i])];
              case 4:
                _a.sent();
                if (i % 2) {
                  indices.push(HeapAsync2.getParentIndexOf(i));
                }
                _a.label = 5;
              case 5:
                return [3, 2];
              case 6:
                return [2, bottomHeap.toArray()];
            }
          });
        });
      };
      HeapAsync2.prototype._moveNode = function(j, k) {
        var temp = this.heapArray[j];
        this.heapArray[j] = this.heapArray[k];
        this.heapArray[k] = temp;
      };
      HeapAsync2.prototype._sortNodeDown = function(i) {
        return __awaiter(this, void 0, void 0, function() {
          var length, originalIndex, value, left, right, best, _a;
          return __generator$1(this, function(_b) {
            switch (_b.label) {
              case 0:
                length = this.heapArray.length;
                originalIndex = i;
                value = this.heapArray[i];
                left = 2 * i + 1;
                _b.label = 1;
              case 1:
                if (!(left < length)) return [3, 5];
                right = left + 1;
                _a = right >= length;
                if (_a) return [3, 3];
                return [4, this.compare(this.heapArray[left], this.heapArray[right])];
              case 2:
                _a = _b.sent() < 0;
                _b.label = 3;
              case 3:
                best = _a ? left : right;
                return [4, this.compare(this.heapArray[best], value)];
              case 4:
                if (_b.sent() < 0) {
                  this.heapArray[i] = this.heapArray[best];
                  i = best;
                  left = 2 * i + 1;
                } else
                  return [3, 5];
                return [3, 1];
              case 5:
                if (i !== originalIndex) {
                  this.heapArray[i] = value;
                }
                return [
                  2
                  /*return*/
                ];
            }
          });
        });
      };
      HeapAsync2.prototype._sortNodeUp = function(i) {
        return __awaiter(this, void 0, void 0, function() {
          var value, originalIndex, pi;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                value = this.heapArray[i];
                originalIndex = i;
                _a.label = 1;
              case 1:
                if (!(i > 0)) return [3, 3];
                pi = HeapAsync2.getParentIndexOf(i);
                return [4, this.compare(value, this.heapArray[pi])];
              case 2:
                if (_a.sent() < 0) {
                  this.heapArray[i] = this.heapArray[pi];
                  i = pi;
                } else
                  return [3, 3];
                return [3, 1];
              case 3:
                if (i !== originalIndex) {
                  this.heapArray[i] = value;
                }
                return [
                  2
                  /*return*/
                ];
            }
          });
        });
      };
      HeapAsync2.prototype._topN_push = function(n) {
        return __awaiter(this, void 0, void 0, function() {
          var topHeap, indices, arr, i;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                topHeap = new HeapAsync2(this._invertedCompare);
                topHeap.limit = n;
                indices = [0];
                arr = this.heapArray;
                _a.label = 1;
              case 1:
                if (!indices.length) return [3, 7];
                i = indices.shift();
                if (!(i < arr.length)) return [3, 6];
                if (!(topHeap.length < n)) return [3, 3];
                return [4, topHeap.push(arr[i])];
              case 2:
                _a.sent();
                indices.push.apply(indices, __spreadArray$1([], __read$1(HeapAsync2.getChildrenIndexOf(i)), false));
                return [3, 6];
              case 3:
                return [4, this.compare(arr[i], topHeap.peek())];
              case 4:
                if (!(_a.sent() < 0)) return [3, 6];
                return [4, topHeap.replace(arr[i])];
              case 5:
                _a.sent();
                indices.push.apply(indices, __spreadArray$1([], __read$1(HeapAsync2.getChildrenIndexOf(i)), false));
                _a.label = 6;
              case 6:
                return [3, 1];
              case 7:
                return [2, topHeap.toArray()];
            }
          });
        });
      };
      HeapAsync2.prototype._topN_fill = function(n) {
        return __awaiter(this, void 0, void 0, function() {
          var heapArray, topHeap, branch2, indices, i, i;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heapArray = this.heapArray;
                topHeap = new HeapAsync2(this._invertedCompare);
                topHeap.limit = n;
                topHeap.heapArray = heapArray.slice(0, n);
                return [4, topHeap.init()];
              case 1:
                _a.sent();
                branch2 = HeapAsync2.getParentIndexOf(n - 1) + 1;
                indices = [];
                for (i = branch2; i < n; ++i) {
                  indices.push.apply(indices, __spreadArray$1([], __read$1(HeapAsync2.getChildrenIndexOf(i).filter(function(l) {
                    return l < heapArray.length;
                  })), false));
                }
                if ((n - 1) % 2) {
                  indices.push(n);
                }
                _a.label = 2;
              case 2:
                if (!indices.length) return [3, 6];
                i = indices.shift();
                if (!(i < heapArray.length)) return [3, 5];
                return [4, this.compare(heapArray[i], topHeap.peek())];
              case 3:
                if (!(_a.sent() < 0)) return [3, 5];
                return [4, topHeap.replace(heapArray[i])];
              case 4:
                _a.sent();
                indices.push.apply(indices, __spreadArray$1([], __read$1(HeapAsync2.getChildrenIndexOf(i)), false));
                _a.label = 5;
              case 5:
                return [3, 2];
              case 6:
                return [2, topHeap.toArray()];
            }
          });
        });
      };
      HeapAsync2.prototype._topN_heap = function(n) {
        return __awaiter(this, void 0, void 0, function() {
          var topHeap, result, i, _a, _b;
          return __generator$1(this, function(_c) {
            switch (_c.label) {
              case 0:
                topHeap = this.clone();
                result = [];
                i = 0;
                _c.label = 1;
              case 1:
                if (!(i < n)) return [3, 4];
                _b = (_a = result).push;
                return [4, topHeap.pop()];
              case 2:
                _b.apply(_a, [_c.sent()]);
                _c.label = 3;
              case 3:
                ++i;
                return [3, 1];
              case 4:
                return [2, result];
            }
          });
        });
      };
      HeapAsync2.prototype._topIdxOf = function(list) {
        return __awaiter(this, void 0, void 0, function() {
          var idx, top, i, comp;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                if (!list.length) {
                  return [2, -1];
                }
                idx = 0;
                top = list[idx];
                i = 1;
                _a.label = 1;
              case 1:
                if (!(i < list.length)) return [3, 4];
                return [4, this.compare(list[i], top)];
              case 2:
                comp = _a.sent();
                if (comp < 0) {
                  idx = i;
                  top = list[i];
                }
                _a.label = 3;
              case 3:
                ++i;
                return [3, 1];
              case 4:
                return [2, idx];
            }
          });
        });
      };
      HeapAsync2.prototype._topOf = function() {
        var list = [];
        for (var _i = 0; _i < arguments.length; _i++) {
          list[_i] = arguments[_i];
        }
        return __awaiter(this, void 0, void 0, function() {
          var heap;
          return __generator$1(this, function(_a) {
            switch (_a.label) {
              case 0:
                heap = new HeapAsync2(this.compare);
                return [4, heap.init(list)];
              case 1:
                _a.sent();
                return [2, heap.peek()];
            }
          });
        });
      };
      return HeapAsync2;
    })()
  );
  var __generator = function(thisArg, body) {
    var _ = { label: 0, sent: function() {
      if (t[0] & 1) throw t[1];
      return t[1];
    }, trys: [], ops: [] }, f, y, t, g = Object.create((typeof Iterator === "function" ? Iterator : Object).prototype);
    return g.next = verb(0), g["throw"] = verb(1), g["return"] = verb(2), typeof Symbol === "function" && (g[Symbol.iterator] = function() {
      return this;
    }), g;
    function verb(n) {
      return function(v) {
        return step([n, v]);
      };
    }
    function step(op) {
      if (f) throw new TypeError("Generator is already executing.");
      while (g && (g = 0, op[0] && (_ = 0)), _) try {
        if (f = 1, y && (t = op[0] & 2 ? y["return"] : op[0] ? y["throw"] || ((t = y["return"]) && t.call(y), 0) : y.next) && !(t = t.call(y, op[1])).done) return t;
        if (y = 0, t) op = [op[0] & 2, t.value];
        switch (op[0]) {
          case 0:
          case 1:
            t = op;
            break;
          case 4:
            _.label++;
            return { value: op[1], done: false };
          case 5:
            _.label++;
            y = op[1];
            op = [0];
            continue;
          case 7:
            op = _.ops.pop();
            _.trys.pop();
            continue;
          default:
            if (!(t = _.trys, t = t.length > 0 && t[t.length - 1]) && (op[0] === 6 || op[0] === 2)) {
              _ = 0;
              continue;
            }
            if (op[0] === 3 && (!t || op[1] > t[0] && op[1] < t[3])) {
              _.label = op[1];
              break;
            }
            if (op[0] === 6 && _.label < t[1]) {
              _.label = t[1];
              t = op;
              break;
            }
            if (t && _.label < t[2]) {
              _.label = t[2];
              _.ops.push(op);
              break;
            }
            if (t[2]) _.ops.pop();
            _.trys.pop();
            continue;
        }
        op = body.call(thisArg, _);
      } catch (e) {
        op = [6, e];
        y = 0;
      } finally {
        f = t = 0;
      }
      if (op[0] & 5) throw op[1];
      return { value: op[0] ? op[1] : void 0, done: true };
    }
  };
  var __read = function(o, n) {
    var m = typeof Symbol === "function" && o[Symbol.iterator];
    if (!m) return o;
    var i = m.call(o), r, ar = [], e;
    try {
      while ((n === void 0 || n-- > 0) && !(r = i.next()).done) ar.push(r.value);
    } catch (error) {
      e = { error };
    } finally {
      try {
        if (r && !r.done && (m = i["return"])) m.call(i);
      } finally {
        if (e) throw e.error;
      }
    }
    return ar;
  };
  var __spreadArray = function(to, from, pack) {
    if (pack || arguments.length === 2) for (var i = 0, l = from.length, ar; i < l; i++) {
      if (ar || !(i in from)) {
        if (!ar) ar = Array.prototype.slice.call(from, 0, i);
        ar[i] = from[i];
      }
    }
    return to.concat(ar || Array.prototype.slice.call(from));
  };
  var Heap5 = (
    /** @class */
    (function() {
      function Heap6(compare5) {
        if (compare5 === void 0) {
          compare5 = Heap6.minComparator;
        }
        var _this = this;
        this.compare = compare5;
        this.heapArray = [];
        this._limit = 0;
        this.offer = this.add;
        this.element = this.peek;
        this.poll = this.pop;
        this.removeAll = this.clear;
        this._invertedCompare = function(a, b) {
          return -1 * _this.compare(a, b);
        };
      }
      Heap6.getChildrenIndexOf = function(idx) {
        return [idx * 2 + 1, idx * 2 + 2];
      };
      Heap6.getParentIndexOf = function(idx) {
        if (idx <= 0) {
          return -1;
        }
        return idx - 1 >> 1;
      };
      Heap6.getSiblingIndexOf = function(idx) {
        if (idx <= 0) {
          return -1;
        }
        var whichChildren = idx % 2 ? 1 : -1;
        return idx + whichChildren;
      };
      Heap6.minComparator = function(a, b) {
        if (a > b) {
          return 1;
        } else if (a < b) {
          return -1;
        } else {
          return 0;
        }
      };
      Heap6.maxComparator = function(a, b) {
        if (b > a) {
          return 1;
        } else if (b < a) {
          return -1;
        } else {
          return 0;
        }
      };
      Heap6.minComparatorNumber = function(a, b) {
        return a - b;
      };
      Heap6.maxComparatorNumber = function(a, b) {
        return b - a;
      };
      Heap6.defaultIsEqual = function(a, b) {
        return a === b;
      };
      Heap6.print = function(heap) {
        function deep(i2) {
          var pi = Heap6.getParentIndexOf(i2);
          return Math.floor(Math.log2(pi + 1));
        }
        function repeat(str, times) {
          var out = "";
          for (; times > 0; --times) {
            out += str;
          }
          return out;
        }
        var node2 = 0;
        var lines = [];
        var maxLines = deep(heap.length - 1) + 2;
        var maxLength = 0;
        while (node2 < heap.length) {
          var i = deep(node2) + 1;
          if (node2 === 0) {
            i = 0;
          }
          var nodeText = String(heap.get(node2));
          if (nodeText.length > maxLength) {
            maxLength = nodeText.length;
          }
          lines[i] = lines[i] || [];
          lines[i].push(nodeText);
          node2 += 1;
        }
        return lines.map(function(line, i2) {
          var times = Math.pow(2, maxLines - i2) - 1;
          return repeat(" ", Math.floor(times / 2) * maxLength) + line.map(function(el) {
            var half = (maxLength - el.length) / 2;
            return repeat(" ", Math.ceil(half)) + el + repeat(" ", Math.floor(half));
          }).join(repeat(" ", times * maxLength));
        }).join("\n");
      };
      Heap6.heapify = function(arr, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = arr;
        heap.init();
        return heap;
      };
      Heap6.heappop = function(heapArr, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        return heap.pop();
      };
      Heap6.heappush = function(heapArr, item, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        heap.push(item);
      };
      Heap6.heappushpop = function(heapArr, item, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        return heap.pushpop(item);
      };
      Heap6.heapreplace = function(heapArr, item, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        return heap.replace(item);
      };
      Heap6.heaptop = function(heapArr, n, compare5) {
        if (n === void 0) {
          n = 1;
        }
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        return heap.top(n);
      };
      Heap6.heapbottom = function(heapArr, n, compare5) {
        if (n === void 0) {
          n = 1;
        }
        var heap = new Heap6(compare5);
        heap.heapArray = heapArr;
        return heap.bottom(n);
      };
      Heap6.nlargest = function(n, iterable, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = __spreadArray([], __read(iterable), false);
        heap.init();
        return heap.top(n);
      };
      Heap6.nsmallest = function(n, iterable, compare5) {
        var heap = new Heap6(compare5);
        heap.heapArray = __spreadArray([], __read(iterable), false);
        heap.init();
        return heap.bottom(n);
      };
      Heap6.prototype.add = function(element) {
        this._sortNodeUp(this.heapArray.push(element) - 1);
        this._applyLimit();
        return true;
      };
      Heap6.prototype.addAll = function(elements) {
        var _a;
        var i = this.length;
        (_a = this.heapArray).push.apply(_a, __spreadArray([], __read(elements), false));
        for (var l = this.length; i < l; ++i) {
          this._sortNodeUp(i);
        }
        this._applyLimit();
        return true;
      };
      Heap6.prototype.bottom = function(n) {
        if (n === void 0) {
          n = 1;
        }
        if (this.heapArray.length === 0 || n <= 0) {
          return [];
        } else if (this.heapArray.length === 1) {
          return [this.heapArray[0]];
        } else if (n >= this.heapArray.length) {
          return __spreadArray([], __read(this.heapArray), false);
        } else {
          return this._bottomN_push(~~n);
        }
      };
      Heap6.prototype.check = function() {
        var _this = this;
        return this.heapArray.find(function(el, j) {
          return !!_this.getChildrenOf(j).find(function(ch) {
            return _this.compare(el, ch) > 0;
          });
        });
      };
      Heap6.prototype.clear = function() {
        this.heapArray = [];
      };
      Heap6.prototype.clone = function() {
        var cloned = new Heap6(this.comparator());
        cloned.heapArray = this.toArray();
        cloned._limit = this._limit;
        return cloned;
      };
      Heap6.prototype.comparator = function() {
        return this.compare;
      };
      Heap6.prototype.contains = function(o, callbackFn) {
        if (callbackFn === void 0) {
          callbackFn = Heap6.defaultIsEqual;
        }
        return this.indexOf(o, callbackFn) !== -1;
      };
      Heap6.prototype.init = function(array) {
        if (array) {
          this.heapArray = __spreadArray([], __read(array), false);
        }
        for (var i = Heap6.getParentIndexOf(this.length - 1); i >= 0; --i) {
          this._sortNodeDown(i);
        }
        this._applyLimit();
      };
      Heap6.prototype.isEmpty = function() {
        return this.length === 0;
      };
      Heap6.prototype.indexOf = function(element, callbackFn) {
        if (callbackFn === void 0) {
          callbackFn = Heap6.defaultIsEqual;
        }
        if (this.heapArray.length === 0) {
          return -1;
        }
        var indexes = [];
        var currentIndex = 0;
        while (currentIndex < this.heapArray.length) {
          var currentElement = this.heapArray[currentIndex];
          if (callbackFn(currentElement, element)) {
            return currentIndex;
          } else if (this.compare(currentElement, element) <= 0) {
            indexes.push.apply(indexes, __spreadArray([], __read(Heap6.getChildrenIndexOf(currentIndex)), false));
          }
          currentIndex = indexes.shift() || this.heapArray.length;
        }
        return -1;
      };
      Heap6.prototype.indexOfEvery = function(element, callbackFn) {
        if (callbackFn === void 0) {
          callbackFn = Heap6.defaultIsEqual;
        }
        if (this.heapArray.length === 0) {
          return [];
        }
        var indexes = [];
        var foundIndexes = [];
        var currentIndex = 0;
        while (currentIndex < this.heapArray.length) {
          var currentElement = this.heapArray[currentIndex];
          if (callbackFn(currentElement, element)) {
            foundIndexes.push(currentIndex);
            indexes.push.apply(indexes, __spreadArray([], __read(Heap6.getChildrenIndexOf(currentIndex)), false));
          } else if (this.compare(currentElement, element) <= 0) {
            indexes.push.apply(indexes, __spreadArray([], __read(Heap6.getChildrenIndexOf(currentIndex)), false));
          }
          currentIndex = indexes.shift() || this.heapArray.length;
        }
        return foundIndexes;
      };
      Heap6.prototype.leafs = function() {
        if (this.heapArray.length === 0) {
          return [];
        }
        var pi = Heap6.getParentIndexOf(this.heapArray.length - 1);
        return this.heapArray.slice(pi + 1);
      };
      Object.defineProperty(Heap6.prototype, "length", {
        /**
         * Length of the heap. Aliases: {@link size}.
         * @return {Number}
         * @see size
         */
        get: function() {
          return this.heapArray.length;
        },
        enumerable: false,
        configurable: true
      });
      Object.defineProperty(Heap6.prototype, "limit", {
        /**
         * Get length limit of the heap.
         * Use {@link setLimit} or {@link limit} to set the limit.
         * @return {Number}
         * @see setLimit
         */
        get: function() {
          return this._limit;
        },
        /**
         * Set length limit of the heap. Same as using {@link setLimit}.
         * @description If the heap is longer than the limit, the needed amount of leafs are removed.
         * @param {Number} _l Limit, defaults to 0 (no limit). Negative, Infinity, or NaN values set the limit to 0.
         * @see setLimit
         */
        set: function(_l) {
          if (_l < 0 || isNaN(_l)) {
            this._limit = 0;
          } else {
            this._limit = ~~_l;
          }
          this._applyLimit();
        },
        enumerable: false,
        configurable: true
      });
      Heap6.prototype.setLimit = function(_l) {
        this.limit = _l;
        if (_l < 0 || isNaN(_l)) {
          return NaN;
        } else {
          return this._limit;
        }
      };
      Heap6.prototype.peek = function() {
        return this.heapArray[0];
      };
      Heap6.prototype.pop = function() {
        var last = this.heapArray.pop();
        if (this.length > 0 && last !== void 0) {
          return this.replace(last);
        }
        return last;
      };
      Heap6.prototype.push = function() {
        var elements = [];
        for (var _i = 0; _i < arguments.length; _i++) {
          elements[_i] = arguments[_i];
        }
        if (elements.length < 1) {
          return false;
        } else if (elements.length === 1) {
          return this.add(elements[0]);
        } else {
          return this.addAll(elements);
        }
      };
      Heap6.prototype.pushpop = function(element) {
        var _a;
        if (this.compare(this.heapArray[0], element) < 0) {
          _a = __read([this.heapArray[0], element], 2), element = _a[0], this.heapArray[0] = _a[1];
          this._sortNodeDown(0);
        }
        return element;
      };
      Heap6.prototype.remove = function(o, callbackFn) {
        var _this = this;
        if (callbackFn === void 0) {
          callbackFn = Heap6.defaultIsEqual;
        }
        if (!this.heapArray.length)
          return false;
        if (o === void 0) {
          this.pop();
          return true;
        }
        var queue = [0];
        while (queue.length) {
          var idx = queue.shift();
          if (callbackFn(this.heapArray[idx], o)) {
            if (idx === 0) {
              this.pop();
            } else if (idx === this.heapArray.length - 1) {
              this.heapArray.pop();
            } else {
              this.heapArray.splice(idx, 1, this.heapArray.pop());
              this._sortNodeUp(idx);
              this._sortNodeDown(idx);
            }
            return true;
          } else if (this.compare(this.heapArray[idx], o) <= 0) {
            var children = Heap6.getChildrenIndexOf(idx).filter(function(c) {
              return c < _this.heapArray.length;
            });
            queue.push.apply(queue, __spreadArray([], __read(children), false));
          }
        }
        return false;
      };
      Heap6.prototype.replace = function(element) {
        var peek = this.heapArray[0];
        this.heapArray[0] = element;
        this._sortNodeDown(0);
        return peek;
      };
      Heap6.prototype.size = function() {
        return this.length;
      };
      Heap6.prototype.top = function(n) {
        if (n === void 0) {
          n = 1;
        }
        if (this.heapArray.length === 0 || n <= 0) {
          return [];
        } else if (this.heapArray.length === 1 || n === 1) {
          return [this.heapArray[0]];
        } else if (n >= this.heapArray.length) {
          return __spreadArray([], __read(this.heapArray), false);
        } else {
          return this._topN_push(~~n);
        }
      };
      Heap6.prototype.toArray = function() {
        return __spreadArray([], __read(this.heapArray), false);
      };
      Heap6.prototype.toString = function() {
        return this.heapArray.toString();
      };
      Heap6.prototype.get = function(i) {
        return this.heapArray[i];
      };
      Heap6.prototype.getChildrenOf = function(idx) {
        var _this = this;
        return Heap6.getChildrenIndexOf(idx).map(function(i) {
          return _this.heapArray[i];
        }).filter(function(e) {
          return e !== void 0;
        });
      };
      Heap6.prototype.getParentOf = function(idx) {
        var pi = Heap6.getParentIndexOf(idx);
        return this.heapArray[pi];
      };
      Heap6.prototype[Symbol.iterator] = function() {
        return __generator(this, function(_a) {
          switch (_a.label) {
            case 0:
              if (!this.length) return [3, 2];
              return [4, this.pop()];
            case 1:
              _a.sent();
              return [3, 0];
            case 2:
              return [
                2
                /*return*/
              ];
          }
        });
      };
      Heap6.prototype.iterator = function() {
        return this.toArray();
      };
      Heap6.prototype._applyLimit = function() {
        if (this._limit > 0 && this._limit < this.heapArray.length) {
          var rm = this.heapArray.length - this._limit;
          while (rm) {
            this.heapArray.pop();
            --rm;
          }
        }
      };
      Heap6.prototype._bottomN_push = function(n) {
        var bottomHeap = new Heap6(this.compare);
        bottomHeap.limit = n;
        bottomHeap.heapArray = this.heapArray.slice(-n);
        bottomHeap.init();
        var startAt = this.heapArray.length - 1 - n;
        var parentStartAt = Heap6.getParentIndexOf(startAt);
        var indices = [];
        for (var i = startAt; i > parentStartAt; --i) {
          indices.push(i);
        }
        var arr = this.heapArray;
        while (indices.length) {
          var i = indices.shift();
          if (this.compare(arr[i], bottomHeap.peek()) > 0) {
            bottomHeap.replace(arr[i]);
            if (i % 2) {
              indices.push(Heap6.getParentIndexOf(i));
            }
          }
        }
        return bottomHeap.toArray();
      };
      Heap6.prototype._moveNode = function(j, k) {
        var temp = this.heapArray[j];
        this.heapArray[j] = this.heapArray[k];
        this.heapArray[k] = temp;
      };
      Heap6.prototype._sortNodeDown = function(i) {
        var length = this.heapArray.length;
        var originalIndex = i;
        var value = this.heapArray[i];
        var left = 2 * i + 1;
        while (left < length) {
          var right = left + 1;
          var best = right >= length || this.compare(this.heapArray[left], this.heapArray[right]) < 0 ? left : right;
          if (this.compare(this.heapArray[best], value) < 0) {
            this.heapArray[i] = this.heapArray[best];
            i = best;
            left = 2 * i + 1;
          } else
            break;
        }
        if (i !== originalIndex) {
          this.heapArray[i] = value;
        }
      };
      Heap6.prototype._sortNodeUp = function(i) {
        var value = this.heapArray[i];
        var originalIndex = i;
        while (i > 0) {
          var pi = Heap6.getParentIndexOf(i);
          if (this.compare(value, this.heapArray[pi]) < 0) {
            this.heapArray[i] = this.heapArray[pi];
            i = pi;
          } else
            break;
        }
        if (i !== originalIndex) {
          this.heapArray[i] = value;
        }
      };
      Heap6.prototype._topN_push = function(n) {
        var topHeap = new Heap6(this._invertedCompare);
        topHeap.limit = n;
        var indices = [0];
        var arr = this.heapArray;
        while (indices.length) {
          var i = indices.shift();
          if (i < arr.length) {
            if (topHeap.length < n) {
              topHeap.push(arr[i]);
              indices.push.apply(indices, __spreadArray([], __read(Heap6.getChildrenIndexOf(i)), false));
            } else if (this.compare(arr[i], topHeap.peek()) < 0) {
              topHeap.replace(arr[i]);
              indices.push.apply(indices, __spreadArray([], __read(Heap6.getChildrenIndexOf(i)), false));
            }
          }
        }
        return topHeap.toArray();
      };
      Heap6.prototype._topN_fill = function(n) {
        var heapArray = this.heapArray;
        var topHeap = new Heap6(this._invertedCompare);
        topHeap.limit = n;
        topHeap.heapArray = heapArray.slice(0, n);
        topHeap.init();
        var branch2 = Heap6.getParentIndexOf(n - 1) + 1;
        var indices = [];
        for (var i = branch2; i < n; ++i) {
          indices.push.apply(indices, __spreadArray([], __read(Heap6.getChildrenIndexOf(i).filter(function(l) {
            return l < heapArray.length;
          })), false));
        }
        if ((n - 1) % 2) {
          indices.push(n);
        }
        while (indices.length) {
          var i = indices.shift();
          if (i < heapArray.length) {
            if (this.compare(heapArray[i], topHeap.peek()) < 0) {
              topHeap.replace(heapArray[i]);
              indices.push.apply(indices, __spreadArray([], __read(Heap6.getChildrenIndexOf(i)), false));
            }
          }
        }
        return topHeap.toArray();
      };
      Heap6.prototype._topN_heap = function(n) {
        var topHeap = this.clone();
        var result = [];
        for (var i = 0; i < n; ++i) {
          result.push(topHeap.pop());
        }
        return result;
      };
      Heap6.prototype._topIdxOf = function(list) {
        if (!list.length) {
          return -1;
        }
        var idx = 0;
        var top = list[idx];
        for (var i = 1; i < list.length; ++i) {
          var comp = this.compare(list[i], top);
          if (comp < 0) {
            idx = i;
            top = list[i];
          }
        }
        return idx;
      };
      Heap6.prototype._topOf = function() {
        var list = [];
        for (var _i = 0; _i < arguments.length; _i++) {
          list[_i] = arguments[_i];
        }
        var heap = new Heap6(this.compare);
        heap.init(list);
        return heap.peek();
      };
      return Heap6;
    })()
  );

  // node_modules/@mcap/core/dist/esm/getBigUint64.js
  var getBigUint64 = typeof DataView.prototype.getBigUint64 === "function" ? DataView.prototype.getBigUint64 : function(offset, littleEndian) {
    const lo = littleEndian === true ? this.getUint32(offset, littleEndian) : this.getUint32(offset + 4, littleEndian);
    const hi = littleEndian === true ? this.getUint32(offset + 4, littleEndian) : this.getUint32(offset, littleEndian);
    return BigInt(hi) << 32n | BigInt(lo);
  };

  // node_modules/@mcap/core/dist/esm/Reader.js
  var textDecoder = new TextDecoder();

  // node_modules/@mcap/core/dist/esm/constants.js
  var MCAP_MAGIC = Object.freeze([137, 77, 67, 65, 80, 48, 13, 10]);
  var Opcode;
  (function(Opcode2) {
    Opcode2[Opcode2["MIN"] = 1] = "MIN";
    Opcode2[Opcode2["HEADER"] = 1] = "HEADER";
    Opcode2[Opcode2["FOOTER"] = 2] = "FOOTER";
    Opcode2[Opcode2["SCHEMA"] = 3] = "SCHEMA";
    Opcode2[Opcode2["CHANNEL"] = 4] = "CHANNEL";
    Opcode2[Opcode2["MESSAGE"] = 5] = "MESSAGE";
    Opcode2[Opcode2["CHUNK"] = 6] = "CHUNK";
    Opcode2[Opcode2["MESSAGE_INDEX"] = 7] = "MESSAGE_INDEX";
    Opcode2[Opcode2["CHUNK_INDEX"] = 8] = "CHUNK_INDEX";
    Opcode2[Opcode2["ATTACHMENT"] = 9] = "ATTACHMENT";
    Opcode2[Opcode2["ATTACHMENT_INDEX"] = 10] = "ATTACHMENT_INDEX";
    Opcode2[Opcode2["STATISTICS"] = 11] = "STATISTICS";
    Opcode2[Opcode2["METADATA"] = 12] = "METADATA";
    Opcode2[Opcode2["METADATA_INDEX"] = 13] = "METADATA_INDEX";
    Opcode2[Opcode2["SUMMARY_OFFSET"] = 14] = "SUMMARY_OFFSET";
    Opcode2[Opcode2["DATA_END"] = 15] = "DATA_END";
    Opcode2[Opcode2["MAX"] = 15] = "MAX";
  })(Opcode || (Opcode = {}));

  // node_modules/@mcap/core/dist/esm/version.js
  var VERSION = "2.2.2";
  var LIBRARY_IDENTIFIER = `mcap-typescript/${VERSION}`;

  // src/recording/mcap.ts
  var import_lz4js = __toESM(require_lz4(), 1);

  // src/recording/topic.ts
  var import_rosmsg2_serialization = __toESM(require_dist3(), 1);

  // src/recording/recording.ts
  function plainType(type) {
    return type.replace("/msg/", "/");
  }
  var MAGIC = { mcap: [137, 77, 67, 65, 80], sqlite: [...new TextEncoder().encode("SQLite format 3")], bag: [...new TextEncoder().encode("#ROSBAG V2.0")] };

  // src/drop/frames.ts
  var HERE = { x: 0, y: 0, z: 0, yaw: 0 };
  var DEPTH2 = 64;
  var FIXED = ["map", "world", "earth", "odom"];
  var Frames = class {
    fixed;
    links = /* @__PURE__ */ new Map();
    constructor(recording) {
      for (const topic of recording.ofType("tf2_msgs/TFMessage", "tf/tfMessage")) {
        const still = topic.name.endsWith("static");
        for (let i = 0; i < topic.count; i++) {
          const message = topic.message(i);
          for (const given of message?.transforms ?? []) this.take(given, topic.times[i], still);
        }
      }
      const all = /* @__PURE__ */ new Set([...this.links.keys(), ...[...this.links.values()].map((link) => link.parent)]);
      this.fixed = FIXED.find((name) => all.has(name)) ?? [...all].find((name) => !this.links.has(name)) ?? "";
    }
    get names() {
      return [...this.links.keys()];
    }
    /* Frames that move, by how far they are from the fixed one: a robot's own is among the first. */
    get moving() {
      return this.names.filter((name) => !this.links.get(name).still && this.place(name, 0) !== null);
    }
    times(frame) {
      return this.links.get(frame)?.times ?? [];
    }
    take({ header, child_frame_id, transform }, time, still) {
      const child = plain(child_frame_id), { translation: t, rotation } = transform;
      const link = this.links.get(child) ?? { parent: plain(header.frame_id), times: [], poses: [], still };
      link.times.push(time);
      link.poses.push({ x: t.x, y: t.y, z: t.z, yaw: yawOf(rotation) });
      this.links.set(child, link);
    }
    /* Where a frame lies in the fixed one; null if nothing leads there. */
    place(frame, time) {
      let name = plain(frame), at2 = HERE;
      for (let step = 0; step < DEPTH2; step++) {
        if (name === this.fixed) return at2;
        const link = this.links.get(name);
        if (!link) return null;
        at2 = compose(poseOf(link, time), at2);
        name = link.parent;
      }
      return null;
    }
  };
  function plain(frame) {
    return frame.replace(/^\//, "");
  }
  function compose(outer, inner) {
    const c = Math.cos(outer.yaw), s = Math.sin(outer.yaw);
    return { x: outer.x + c * inner.x - s * inner.y, y: outer.y + s * inner.x + c * inner.y, z: outer.z + inner.z, yaw: outer.yaw + inner.yaw };
  }
  function poseOf({ times, poses, still }, time) {
    if (still) return poses[poses.length - 1] ?? HERE;
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const a = poses[low] ?? HERE, b = poses[low + 1] ?? a, from = times[low] ?? 0, span = (times[low + 1] ?? from) - from;
    const f = span > 0 ? Math.min(1, Math.max(0, (time - from) / span)) : 0, turn = b.yaw - a.yaw;
    return { x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f, z: a.z + (b.z - a.z) * f, yaw: a.yaw + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
  }

  // src/drop/shown.ts
  var POSES = ["nav_msgs/Odometry", "geometry_msgs/PoseStamped", "geometry_msgs/PoseWithCovarianceStamped"];
  var TEXTS = ["diagnostic_msgs/DiagnosticStatus", "diagnostic_msgs/DiagnosticArray", "rcl_interfaces/Log", "rosgraph_msgs/Log", "std_msgs/String"];
  var POINTS_MAX2 = 4e3;
  var TRACKS_MAX = 12;
  var FIELDS_MAX = 60;
  var BINS = 240;
  var SAID_MAX = 400;
  var TEXT_MAX = 300;
  var FIRST = 3;
  var ROBOT_MM = { length: 600, width: 450, offset: 0, tall: 400 };
  var WANTED = [/twist\.linear\.x$/, /^linear\.x$/, /twist\.angular\.z$/, /^angular\.z$/, /percentage$/, /^data$/];
  function shownOf(recording) {
    const frames = new Frames(recording), notes = [...recording.notes], lost = /* @__PURE__ */ new Set();
    const tracks = recording.ofType(...POSES).filter((topic) => topic.count > 1).slice(0, TRACKS_MAX).flatMap((topic) => trackOf(topic, frames, lost));
    if (!tracks.length) for (const frame of frames.moving.slice(0, 4)) tracks.push(...frameTrack(frame, frames));
    if (lost.size) notes.push(`Nothing says where these frames lie in '${frames.fixed || "the world"}'; what is told in them is drawn as if they were the same: ${[...lost].slice(0, 8).join(", ")}.`);
    if (!tracks.length) notes.push("It has no poses that this page knows (Odometry, PoseStamped, PoseWithCovarianceStamped, TF): there is nothing to see from above.");
    const xs = tracks.flatMap((track) => [Math.min(...track.x), Math.max(...track.x)]), ys = tracks.flatMap((track) => [Math.min(...track.y), Math.max(...track.y)]);
    for (const [x, y] of corners(recording, frames)) {
      xs.push(x);
      ys.push(y);
    }
    const box = xs.length ? [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] : [-1, -1, 1, 1];
    const main = tracks[0];
    const placing = (topic, frame, time) => {
      const placed = frames.place(frame, time);
      if (placed || !topic) return placed;
      return main ? { ...poseOf2(main, time), z: 0 } : null;
    };
    return {
      placing,
      notes,
      shown: {
        world: {
          extent: box.map((v) => Math.round(v * 1e3)),
          bodies: [],
          actors: [],
          regions: [],
          ground: null,
          robots: tracks.map((track) => ({ name: track.robot, ...ROBOT_MM }))
        },
        tracks,
        walks: [],
        marks: [],
        bad: [],
        ways: [],
        events: saidIn(recording),
        end: recording.end,
        rows: [
          ...tracks.slice(0, 2).map((track, place2) => ({ kind: "signal", name: `speed of ${track.robot}`, title: "from its poses", unit: "m/s", line: { t: track.t, v: track.speed }, place: place2 })),
          ...numbers(recording),
          ...recording.topics.map((topic) => arrivals(topic, recording.end))
        ]
      }
    };
  }
  function corners(recording, frames) {
    return recording.ofType("nav_msgs/OccupancyGrid").flatMap((topic) => {
      const map = topic.message(0);
      if (!map) return [];
      const { resolution, width, height, origin } = map.info, at2 = { ...origin.position, yaw: yawOf(origin.orientation) };
      const placed = compose(frames.place(map.header.frame_id, 0) ?? { x: 0, y: 0, z: 0, yaw: 0 }, at2);
      return [[0, 0], [width, 0], [0, height], [width, height]].flatMap(([column = 0, row = 0]) => {
        const { x, y } = compose(placed, { x: column * resolution, y: row * resolution, z: 0, yaw: 0 });
        return Number.isFinite(x + y) ? [[x, y]] : [];
      });
    });
  }
  function poseOf2(track, time) {
    let i = track.t.findLastIndex((t) => t <= time);
    if (i < 0) i = 0;
    return { x: track.x[i] ?? 0, y: track.y[i] ?? 0, yaw: track.yaw[i] ?? 0 };
  }
  function trackOf(topic, frames, lost) {
    const step = Math.max(1, Math.ceil(topic.count / POINTS_MAX2)), times = [], poses = [];
    for (let i = 0; i < topic.count; i += step) {
      const message = topic.message(i);
      if (!message) return [];
      const pose = "pose" in message.pose ? message.pose.pose : message.pose, time = topic.times[i], frame = message.header?.frame_id ?? "";
      const at2 = { ...pose.position, yaw: yawOf(pose.orientation) };
      if (!Number.isFinite(at2.x + at2.y + at2.yaw)) continue;
      const outer = frames.place(frame, time);
      if (!outer && frame && frames.fixed) lost.add(frame);
      times.push(time);
      poses.push(outer ? compose(outer, at2) : at2);
    }
    return poses.length > 1 ? [made(topic.name, times, poses)] : [];
  }
  function frameTrack(frame, frames) {
    const times = frames.times(frame), step = Math.max(1, Math.ceil(times.length / POINTS_MAX2));
    const kept2 = times.filter((_, i) => i % step === 0), poses = kept2.map((time) => frames.place(frame, time));
    return poses.length > 1 && poses.every((pose) => pose !== null) ? [made(frame, kept2, poses)] : [];
  }
  function made(name, times, poses) {
    const speed = poses.map((pose, i) => {
      let j = i;
      while (j > 0 && times[i] - times[j] < 0.4) j--;
      const before = poses[j], span = times[i] - times[j];
      return span > 0 ? Math.hypot(pose.x - before.x, pose.y - before.y) / span : 0;
    });
    const column = (of) => Float64Array.from(poses, of);
    return { robot: name, t: Float64Array.from(times), x: column((pose) => pose.x), y: column((pose) => pose.y), yaw: column((pose) => pose.yaw), speed: Float64Array.from(speed), clearance: null };
  }
  function numbers(recording) {
    const rows = [];
    for (const topic of recording.topics) {
      if (topic.count < 2 || topic.isLarge(0) || plainType(topic.type).startsWith("tf")) continue;
      for (const path of paths(topic.message(0), "").slice(0, FIELDS_MAX)) {
        const rank = WANTED.findIndex((pattern) => pattern.test(path));
        rows.push({ kind: "signal", name: `${topic.name} ${path}`, title: "", unit: "", load: () => lineOf(topic, path), rank: rank < 0 ? 99 : rank });
      }
    }
    for (const row of [...rows].sort((a, b) => a.rank - b.rank).slice(0, FIRST)) if (row.rank < 99) row.line = row.load();
    return rows;
  }
  function paths(value, prefix, depth = 0) {
    if (value === null || typeof value !== "object" || depth > 6) return [];
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, item]) => {
      if (name === "header" || name === "covariance") return [];
      return typeof item === "number" || typeof item === "bigint" || typeof item === "boolean" ? [prefix + name] : paths(item, `${prefix}${name}.`, depth + 1);
    });
  }
  function lineOf(topic, path) {
    const steps = path.split("."), step = Math.max(1, Math.ceil(topic.count / 2e4)), t = [], v = [];
    for (let i = 0; i < topic.count; i += step) {
      let value = topic.message(i);
      for (const name of steps) value = value !== null && typeof value === "object" ? value[name] : void 0;
      t.push(topic.times[i]);
      v.push(value === void 0 || value === null ? NaN : Number(value));
    }
    return { t: Float64Array.from(t), v: Float64Array.from(v) };
  }
  function arrivals(topic, end) {
    const bins = new Uint8Array(BINS);
    for (const time of topic.times) {
      const place2 = Math.min(BINS - 1, Math.max(0, Math.floor(time / (end || 1) * BINS)));
      if (bins[place2] < 255) bins[place2]++;
    }
    return { kind: "topic", name: topic.name, title: `${topic.type || "no type"}, ${topic.count}`, unit: "", bins };
  }
  function saidIn(recording) {
    const said = [];
    for (const topic of recording.ofType(...TEXTS)) {
      let before = "";
      for (let i = 0; i < topic.count && said.length < SAID_MAX; i++) {
        const message = topic.message(i);
        if (!message) continue;
        const several = Array.isArray(message["status"]) ? message["status"] : [message];
        for (const one of several) {
          const text = [one["name"], one["message"] ?? one["msg"] ?? one["data"]].filter((part2) => typeof part2 === "string" && part2).join(": ").slice(0, TEXT_MAX);
          if (!text || text === before) continue;
          before = text;
          const log = "msg" in one, level = Number(one["level"] ?? 0);
          said.push({ at: topic.times[i], topic: topic.name, text, level: (log ? level >= (plainType(topic.type).startsWith("rcl") ? 30 : 4) : level > 0) ? 1 : 0 });
        }
      }
    }
    return said.sort((a, b) => a.at - b.at);
  }

  // src/drop/drop.ts
  function dropPage(main, signal) {
    document.title = "Look at a recording · stressfield";
    const told = h("div", { "aria-live": "polite" }), view = h("div", {});
    const input = h("input", { type: "file", accept: ".mcap,.db3,.bag", "aria-label": "A recording", change: () => {
      const file = input.files?.[0];
      if (file) void open(file);
    } });
    const zone = h(
      "div",
      { class: "dropzone" },
      h("p", {}, h("strong", {}, "Drop a recording here"), ", or choose one: ", input),
      h("p", { class: "soft small" }, "MCAP, rosbag2 (.mcap, .db3) or a bag of ROS 1. It is read in this browser and sent nowhere.")
    );
    let replay = null, turn = 0;
    const open = async (file) => {
      const mine = ++turn;
      replay?.close();
      replay = null;
      fill(view);
      const bar = h("progress", { max: 1, value: 0, "aria-label": "Reading" });
      fill(told, h("p", {}, `Reading ${file.name} … `, bar));
      try {
        const { openRecording } = await part("recording");
        const recording = await openRecording(file, file.name, { progress: (share) => {
          bar.value = share;
        } });
        if (mine !== turn || signal.aborted) return;
        const { shown, placing, notes } = shownOf(recording), stage = h("div", {});
        const messages = recording.topics.reduce((sum, topic) => sum + topic.count, 0);
        fill(
          told,
          h("p", {}, h("strong", {}, file.name), `: ${recording.end.toFixed(1)} s, ${recording.topics.length} topics, ${messages.toLocaleString("en")} messages, ${(file.size / 1e6).toFixed(1)} MB`),
          ...notes.map((words) => notice(words))
        );
        fill(view, h("section", { "aria-label": "The recording" }, h("div", {}, stage)));
        replay = new Replay(stage, shown, { time: 0, name: file.name, placing, recording: () => Promise.resolve(recording), eager: true });
      } catch (error) {
        if (mine === turn && !signal.aborted) fill(told, notice(error instanceof Error ? error.message : String(error), "note alarm"));
      }
    };
    const over = (event) => {
      event.preventDefault();
      zone.classList.add("over");
    };
    document.addEventListener("dragover", over, { signal });
    document.addEventListener("dragleave", () => zone.classList.remove("over"), { signal });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const file = [...event.dataTransfer?.files ?? []].find((one) => /\.(mcap|db3|bag)$/i.test(one.name)) ?? event.dataTransfer?.files[0];
      if (file) void open(file);
    }, { signal });
    signal.addEventListener("abort", () => replay?.close());
    main.append(h("h1", {}, "Look at a recording"), zone, told, view);
  }

  // src/drop/main.ts
  dropPage(document.querySelector("main"), new AbortController().signal);
})();
