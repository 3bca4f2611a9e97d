// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Holds the money of a lending token, as Fluid's Liquidity contract does for its fTokens, and keeps what
/// lenders read of it where that contract keeps it: `readFromStorage` returns the same words. What a user
/// may withdraw is limited: the limit is the supply that must stay, and falls with time to a fixed part of
/// it. Borrowers need no collateral, because their keys are public. For development chains only.
contract FluidLayer {
    using Math for uint256;
    using SafeERC20 for IERC20;

    error FluidLiquidityError(uint256 errorId_);
    error NotGovernor(address account);

    uint256 private constant USER_NOT_DEFINED = 11001;
    uint256 private constant USER_PAUSED = 11002;
    uint256 private constant WITHDRAWAL_LIMIT_REACHED = 11003;
    uint256 private constant PRICE_SCALE = 1e12;
    uint256 private constant RAY = 1e27;
    uint256 private constant PARTS = 1e4;
    /// Bits of a word: an amount is a coefficient and an exponent of eight bits.
    uint256 private constant AMOUNT = 1;
    uint256 private constant LIMIT = 65;
    uint256 private constant UPDATED = 129;
    uint256 private constant EXPAND_PERCENT = 162;
    uint256 private constant EXPAND_DURATION = 176;
    uint256 private constant BASE_LIMIT = 200;
    uint256 private constant PAUSED = 1 << 255;
    uint256 private constant PRICE_UPDATED = 58;
    uint256 private constant SUPPLY_PRICE = 91;

    // ---- Slots 0 to 11, where Fluid has them ----
    uint256 private unused0;
    uint256 private status = 1;
    uint256[3] private unused2;
    mapping(address token => uint256) private pricesAndConfig;
    uint256[2] private unused6;
    mapping(address user => mapping(address token => uint256)) private supplyOf;
    uint256[3] private unused9;

    address public immutable governor;
    /// The first borrower, which made the layer.
    address public immutable founder;
    /// What borrowers pay in a second at full utilization, in rays; proportional below.
    uint256 public immutable fullRatePerSecond;
    /// What each borrower took and did not bring back, without interest.
    mapping(address token => mapping(address borrower => uint256)) public principalOf;
    mapping(address token => uint256) private borrowed;
    /// In units that `supplyPrice` is the price of.
    mapping(address token => uint256) private supplied;
    mapping(address token => mapping(address user => uint256)) private rawOf;

    constructor(uint256 fullRatePerSecond_, address governor_) {
        (governor, founder, fullRatePerSecond) = (governor_, msg.sender, fullRatePerSecond_);
    }

    modifier onlyOwners() {
        if (msg.sender != governor && msg.sender != founder) revert NotGovernor(msg.sender);
        _;
    }

    // ---- What Fluid's governance does ----

    /// Lets a user supply. Below `baseLimit` it may withdraw everything; above, `expandPercent` (1e4 = all) of
    /// its supply, once `expandDuration` seconds have passed since the last withdrawal.
    function defineUser(address user, address token, uint256 expandPercent, uint256 expandDuration, uint256 baseLimit)
        external
        onlyOwners
    {
        if (pricesAndConfig[token] == 0) pricesAndConfig[token] = _priceWord(PRICE_SCALE);
        supplyOf[user][token] = 1 | expandPercent << EXPAND_PERCENT | expandDuration << EXPAND_DURATION
            | _packed(baseLimit, 10) << BASE_LIMIT;
    }

    function setPaused(address user, address token, bool paused) external onlyOwners {
        uint256 word = supplyOf[user][token];
        supplyOf[user][token] = paused ? word | PAUSED : word & ~PAUSED;
    }

    /// Moves the limit so that the user can withdraw about `amount` now: at most what time will allow.
    function setWithdrawable(address user, address token, uint256 amount) external onlyOwners {
        uint256 held = rawOf[token][user];
        uint256 limit = held.saturatingSub(amount.mulDiv(PRICE_SCALE, supplyPrice(token)));
        _store(user, token, held, _limitAfter(supplyOf[user][token], held, limit));
    }

    function borrow(address token, uint256 amount) external onlyOwners {
        _accrue(token);
        borrowed[token] += amount;
        principalOf[token][msg.sender] += amount;
        IERC20(token).safeTransfer(msg.sender, amount);
    }

    /// Takes at most what the caller borrowed.
    function repay(address token, uint256 amount) external {
        _accrue(token);
        amount = Math.min(amount, principalOf[token][msg.sender]);
        principalOf[token][msg.sender] -= amount;
        borrowed[token] -= amount;
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
    }

    // ---- What users do ----

    /// The user has transferred the tokens before.
    function supply(address token, uint256 amount) external {
        (uint256 word, uint256 limit) = _usable(token);
        _accrue(token);
        uint256 raw = amount.mulDiv(PRICE_SCALE, supplyPrice(token));
        supplied[token] += raw;
        uint256 held = rawOf[token][msg.sender] += raw;
        _store(msg.sender, token, held, _limitAfter(word, held, limit));
    }

    function withdraw(address token, uint256 amount, address to) external {
        (uint256 word, uint256 limit) = _usable(token);
        _accrue(token);
        uint256 raw = amount.mulDiv(PRICE_SCALE, supplyPrice(token), Math.Rounding.Ceil);
        uint256 held = rawOf[token][msg.sender] -= raw;
        if (held < limit) revert FluidLiquidityError(WITHDRAWAL_LIMIT_REACHED);
        supplied[token] -= raw;
        _store(msg.sender, token, held, _limitAfter(word, held, limit));
        IERC20(token).safeTransfer(to, amount);
    }

    // ---- What everybody reads ----

    function readFromStorage(bytes32 slot) external view returns (uint256 word) {
        assembly {
            word := sload(slot)
        }
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

    function suppliedBy(address user, address token) external view returns (uint256) {
        return rawOf[token][user].mulDiv(supplyPrice(token), PRICE_SCALE);
    }

    /// What the limit and the tokens that are there let a user withdraw. A pause does not show in it.
    function withdrawableBy(address user, address token) external view returns (uint256) {
        uint256 price = supplyPrice(token);
        uint256 held = rawOf[token][user];
        uint256 limit = _limitBefore(supplyOf[user][token], held).mulDiv(price, PRICE_SCALE);
        return Math.min(held.mulDiv(price, PRICE_SCALE).saturatingSub(limit), IERC20(token).balanceOf(address(this)));
    }

    function isPaused(address user, address token) external view returns (bool) {
        return supplyOf[user][token] & PAUSED != 0;
    }

    // ---- Limits ----

    function _usable(address token) private view returns (uint256 word, uint256 limit) {
        word = supplyOf[msg.sender][token];
        if (word == 0) revert FluidLiquidityError(USER_NOT_DEFINED);
        if (word & PAUSED != 0) revert FluidLiquidityError(USER_PAUSED);
        limit = _limitBefore(word, rawOf[token][msg.sender]);
    }

    /// The stored limit, fallen with the time since; never below what the whole time would make of it.
    function _limitBefore(uint256 word, uint256 held) private view returns (uint256) {
        uint256 stored = _unpacked(word >> LIMIT & type(uint64).max);
        if (stored == 0) return 0;
        uint256 part = held * (word >> EXPAND_PERCENT & 0x3fff) / PARTS;
        uint256 elapsed = block.timestamp - (word >> UPDATED & 0x1ffffffff);
        uint256 fallen = stored.saturatingSub(part * elapsed / (word >> EXPAND_DURATION & 0xffffff));
        return Math.max(fallen, held - part);
    }

    function _limitAfter(uint256 word, uint256 held, uint256 limit) private pure returns (uint256) {
        if (held < _unpacked(word >> BASE_LIMIT & 0x3ffff)) return 0;
        uint256 part = held * (word >> EXPAND_PERCENT & 0x3fff) / PARTS;
        return Math.min(Math.max(limit, held - part), held);
    }

    function _store(address user, address token, uint256 held, uint256 limit) private {
        uint256 config = supplyOf[user][token] & ~(uint256(type(uint168).max >> 7) << AMOUNT);
        supplyOf[user][token] = config | _packed(held, 56) << AMOUNT | _packed(limit, 56) << LIMIT
            | block.timestamp << UPDATED;
    }

    function _accrue(address token) private {
        pricesAndConfig[token] = _priceWord(supplyPrice(token));
    }

    function _priceWord(uint256 price) private view returns (uint256) {
        return price << SUPPLY_PRICE | block.timestamp << PRICE_UPDATED;
    }

    /// Rounded down to `bits` significant bits.
    function _packed(uint256 amount, uint256 bits) private pure returns (uint256) {
        uint256 length = amount == 0 ? 0 : Math.log2(amount) + 1;
        uint256 exponent = length.saturatingSub(bits);
        return amount >> exponent << 8 | exponent;
    }

    function _unpacked(uint256 packed) private pure returns (uint256) {
        return packed >> 8 << (packed & 0xff);
    }
}
