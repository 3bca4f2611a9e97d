// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// What the layer stores, for itself and for the code that it runs on its own storage. For development chains
/// only.
abstract contract FluidStorage {
    using Math for uint256;

    error FluidLiquidityError(uint256 errorId_);

    uint256 internal constant PRICE_SCALE = 1e12;
    uint256 internal constant PARTS = 1e4;
    uint256 private constant RAY = 1e27;
    /// Bits of a word: an amount is a coefficient and an exponent of eight bits.
    uint256 private constant AMOUNT = 1;
    uint256 internal constant LIMIT = 65;
    uint256 private constant UPDATED = 129;
    uint256 internal constant EXPAND_PERCENT = 162;
    uint256 internal constant EXPAND_DURATION = 176;
    uint256 internal constant BASE_LIMIT = 200;
    uint256 internal constant PAUSED = 1 << 255;
    uint256 private constant PRICE_UPDATED = 58;
    uint256 private constant SUPPLY_PRICE = 91;

    // ---- Slots 0 to 11, where Fluid has them ----
    uint256 private unused0;
    uint256 private status = 1;
    uint256[3] private unused2;
    mapping(address token => uint256) internal pricesAndConfig;
    uint256[2] private unused6;
    mapping(address user => mapping(address token => uint256)) internal supplyOf;
    uint256[3] private unused9;

    /// What borrowers pay in a second at full utilization, in rays; proportional below.
    uint256 public immutable fullRatePerSecond;
    /// What each borrower took and did not bring back, without interest.
    mapping(address token => mapping(address borrower => uint256)) public principalOf;
    mapping(address token => uint256) internal borrowed;
    /// In units that `supplyPrice` is the price of.
    mapping(address token => uint256) internal supplied;
    mapping(address token => mapping(address user => uint256)) internal rawOf;

    constructor(uint256 fullRatePerSecond_) {
        fullRatePerSecond = fullRatePerSecond_;
    }

    /// With the interest until now.
    function supplyPrice(address token) public view returns (uint256) {
        uint256 word = pricesAndConfig[token];
        uint256 price = word >> SUPPLY_PRICE & type(uint64).max;
        uint256 elapsed = block.timestamp - (word >> PRICE_UPDATED & 0x1ffffffff);
        uint256 owed = supplied[token].mulDiv(price, PRICE_SCALE);
        if (owed == 0) return price;
        return price + price.mulDiv(fullRatePerSecond.mulDiv(borrowed[token], owed) * elapsed, RAY);
    }

    function _accrue(address token) internal {
        pricesAndConfig[token] = _priceWord(supplyPrice(token));
    }

    function _priceWord(uint256 price) internal view returns (uint256) {
        return price << SUPPLY_PRICE | block.timestamp << PRICE_UPDATED;
    }

    // ---- Limits ----

    /// The stored limit, fallen with the time since; never below what the whole time would make of it.
    function _limitBefore(uint256 word, uint256 held) internal view returns (uint256) {
        uint256 stored = _unpacked(word >> LIMIT & type(uint64).max);
        if (stored == 0) return 0;
        uint256 part = held * (word >> EXPAND_PERCENT & 0x3fff) / PARTS;
        uint256 elapsed = block.timestamp - (word >> UPDATED & 0x1ffffffff);
        uint256 fallen = stored.saturatingSub(part * elapsed / (word >> EXPAND_DURATION & 0xffffff));
        return Math.max(fallen, held - part);
    }

    function _limitAfter(uint256 word, uint256 held, uint256 limit) internal pure returns (uint256) {
        if (held < _unpacked(word >> BASE_LIMIT & 0x3ffff)) return 0;
        uint256 part = held * (word >> EXPAND_PERCENT & 0x3fff) / PARTS;
        return Math.min(Math.max(limit, held - part), held);
    }

    function _store(address user, address token, uint256 held, uint256 limit) internal {
        uint256 config = supplyOf[user][token] & ~(uint256(type(uint168).max >> 7) << AMOUNT);
        supplyOf[user][token] = config | _packed(held, 56) << AMOUNT | _packed(limit, 56) << LIMIT
            | block.timestamp << UPDATED;
    }

    /// Rounded down to `bits` significant bits.
    function _packed(uint256 amount, uint256 bits) internal pure returns (uint256) {
        uint256 length = amount == 0 ? 0 : Math.log2(amount) + 1;
        uint256 exponent = length.saturatingSub(bits);
        return amount >> exponent << 8 | exponent;
    }

    function _unpacked(uint256 packed) internal pure returns (uint256) {
        return packed >> 8 << (packed & 0xff);
    }
}
