// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// A market for one base token with the external interface of Compound's Comet, as a lender meets it: a
/// balance is a principal times an index that grows with every second, both rounded down; interest is
/// what borrowers pay; a withdrawal takes what the market holds; the governor pauses. Whoever withdraws
/// more than the own balance borrows, against one collateral with a fixed price. What lenders earn in
/// another token is tracked in an index, and paid by MarketRewards. Without liquidation, rewards for
/// borrowers, transfers and reserves. For development chains only.
contract CometMarket {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    error BadAsset();
    error NotCollateralized();
    error Paused();
    error Unauthorized();

    event Supply(address indexed from, address indexed dst, uint256 amount);
    event Withdraw(address indexed src, address indexed to, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount);
    event PauseAction(
        bool supplyPaused, bool transferPaused, bool withdrawPaused, bool absorbPaused, bool buyPaused
    );

    struct UserBasic {
        int104 principal;
        uint64 baseTrackingIndex;
        uint64 baseTrackingAccrued;
        uint16 assetsIn;
        uint8 _reserved;
    }

    struct TotalsBasic {
        uint64 baseSupplyIndex;
        uint64 baseBorrowIndex;
        uint64 trackingSupplyIndex;
        uint64 trackingBorrowIndex;
        uint104 totalSupplyBase;
        uint104 totalBorrowBase;
        uint40 lastAccrualTime;
        uint8 pauseFlags;
    }

    uint64 private constant BASE_INDEX_SCALE = 1e15;
    uint256 private constant FACTOR_SCALE = 1e18;
    uint256 private constant SECONDS_PER_YEAR = 31_536_000;
    /// What an index of one reward token for one base token is written as.
    uint256 public constant trackingIndexScale = 1e15;
    /// The scale of `baseTrackingAccrued`.
    uint256 public constant baseAccrualScale = 1e6;
    uint8 private constant PAUSE_SUPPLY_OFFSET = 0;
    uint8 private constant PAUSE_WITHDRAW_OFFSET = 2;
    /// Where the curve of the rates becomes steep.
    uint256 public constant supplyKink = 0.8e18;
    /// Rates a second at full utilization along each part of the curve: 3.7 % and 100 % a year for lenders.
    uint256 private constant SUPPLY_SLOPE_LOW = 0.037e18 / SECONDS_PER_YEAR;
    uint256 private constant SUPPLY_SLOPE_HIGH = 1e18 / SECONDS_PER_YEAR;
    /// Borrowers pay a tenth more than lenders get.
    uint256 private constant BORROW_MARGIN = 1.1e18;
    /// The most debt against the collateral's value.
    uint256 private constant BORROW_COLLATERAL_FACTOR = 0.8e18;

    address public immutable governor;
    address public immutable baseToken;
    address public immutable collateral;
    /// Base units of the base token for 1e18 base units of the collateral.
    uint256 public immutable collateralPrice;
    uint256 public immutable baseScale;
    /// Less than this in the market earns no rewards.
    uint256 public immutable baseMinForRewards;
    /// Reward tokens a second for all lenders together, in `trackingIndexScale`.
    uint256 public baseTrackingSupplySpeed;
    mapping(address account => UserBasic) public userBasic;
    mapping(address account => uint256) public collateralOf;
    TotalsBasic private totals;

    constructor(
        address baseToken_,
        address collateral_,
        uint256 collateralPrice_,
        address governor_,
        uint256 baseTrackingSupplySpeed_
    ) {
        governor = governor_;
        baseTrackingSupplySpeed = baseTrackingSupplySpeed_;
        baseToken = baseToken_;
        baseScale = 10 ** IERC20Metadata(baseToken_).decimals();
        baseMinForRewards = 1_000 * baseScale;
        collateral = collateral_;
        collateralPrice = collateralPrice_;
        totals.baseSupplyIndex = BASE_INDEX_SCALE;
        totals.baseBorrowIndex = BASE_INDEX_SCALE;
        totals.lastAccrualTime = uint40(block.timestamp);
    }

    function pause(bool supplyPaused, bool transferPaused, bool withdrawPaused, bool absorbPaused, bool buyPaused)
        external
    {
        if (msg.sender != governor) revert Unauthorized();
        totals.pauseFlags = (supplyPaused ? uint8(1) << PAUSE_SUPPLY_OFFSET : 0)
            | (withdrawPaused ? uint8(1) << PAUSE_WITHDRAW_OFFSET : 0);
        emit PauseAction(supplyPaused, transferPaused, withdrawPaused, absorbPaused, buyPaused);
    }

    /// On public chains a new implementation of the market changes it.
    function setBaseTrackingSupplySpeed(uint256 speed) external {
        if (msg.sender != governor) revert Unauthorized();
        _accrue();
        baseTrackingSupplySpeed = speed;
    }

    /// Writes what the account has earned in rewards until now.
    function accrueAccount(address account) external {
        _accrue();
        int104 principal = userBasic[account].principal;
        _setPrincipal(account, principal, principal);
    }

    function supply(address asset, uint256 amount) external {
        supplyTo(msg.sender, asset, amount);
    }

    /// The largest amount repays the debt of `dst`.
    function supplyTo(address dst, address asset, uint256 amount) public {
        if (isSupplyPaused()) revert Paused();
        if (asset == collateral) return _supplyCollateral(dst, amount);
        if (asset != baseToken) revert BadAsset();
        if (amount == type(uint256).max) amount = borrowBalanceOf(dst);
        IERC20(baseToken).safeTransferFrom(msg.sender, address(this), amount);
        _accrue();
        int104 before = userBasic[dst].principal;
        int104 principal = _principalValue(_presentValue(before) + int256(amount));
        _setPrincipal(dst, before, principal);
        emit Supply(msg.sender, dst, amount);
        uint256 supplied = _positive(principal) - _positive(before);
        if (supplied > 0) emit Transfer(address(0), dst, _presentSupply(supplied, totals.baseSupplyIndex));
    }

    /// The largest amount is the caller's whole balance.
    function withdraw(address asset, uint256 amount) external {
        if (isWithdrawPaused()) revert Paused();
        if (asset != baseToken) revert BadAsset();
        _accrue();
        if (amount == type(uint256).max) amount = balanceOf(msg.sender);
        int104 before = userBasic[msg.sender].principal;
        int104 principal = _principalValue(_presentValue(before) - int256(amount));
        _setPrincipal(msg.sender, before, principal);
        if (principal < 0 && !_isCollateralized(msg.sender)) revert NotCollateralized();
        IERC20(baseToken).safeTransfer(msg.sender, amount);
        emit Withdraw(msg.sender, msg.sender, amount);
        uint256 withdrawn = _positive(before) - _positive(principal);
        if (withdrawn > 0) emit Transfer(msg.sender, address(0), _presentSupply(withdrawn, totals.baseSupplyIndex));
    }

    function _supplyCollateral(address dst, uint256 amount) private {
        collateralOf[dst] += amount;
        IERC20(collateral).safeTransferFrom(msg.sender, address(this), amount);
        emit SupplyCollateral(msg.sender, dst, collateral, amount);
    }

    // ---- Views; balances and totals with the interest until now ----

    function isSupplyPaused() public view returns (bool) {
        return totals.pauseFlags & (uint8(1) << PAUSE_SUPPLY_OFFSET) != 0;
    }

    function isWithdrawPaused() public view returns (bool) {
        return totals.pauseFlags & (uint8(1) << PAUSE_WITHDRAW_OFFSET) != 0;
    }

    function balanceOf(address account) public view returns (uint256) {
        (uint64 supplyIndex,) = _accruedIndices();
        return _presentSupply(_positive(userBasic[account].principal), supplyIndex);
    }

    function borrowBalanceOf(address account) public view returns (uint256) {
        (, uint64 borrowIndex) = _accruedIndices();
        return uint256(_positive(-userBasic[account].principal)) * borrowIndex / BASE_INDEX_SCALE;
    }

    function totalSupply() external view returns (uint256) {
        (uint64 supplyIndex,) = _accruedIndices();
        return _presentSupply(totals.totalSupplyBase, supplyIndex);
    }

    function totalBorrow() external view returns (uint256) {
        (, uint64 borrowIndex) = _accruedIndices();
        return uint256(totals.totalBorrowBase) * borrowIndex / BASE_INDEX_SCALE;
    }

    /// As stored: without what was earned since the account last changed.
    function baseTrackingAccrued(address account) external view returns (uint64) {
        return userBasic[account].baseTrackingAccrued;
    }

    /// As stored: without interest and rewards since `lastAccrualTime`.
    function totalsBasic() external view returns (TotalsBasic memory) {
        return totals;
    }

    function baseIndexScale() external pure returns (uint64) {
        return BASE_INDEX_SCALE;
    }

    /// By the stored totals, as the next accrual takes it.
    function getUtilization() public view returns (uint256) {
        uint256 supplied = _presentSupply(totals.totalSupplyBase, totals.baseSupplyIndex);
        uint256 borrowed = uint256(totals.totalBorrowBase) * totals.baseBorrowIndex / BASE_INDEX_SCALE;
        return supplied == 0 ? 0 : borrowed * FACTOR_SCALE / supplied;
    }

    /// A second's rate, 1e18 = 100 %.
    function getSupplyRate(uint256 utilization) public pure returns (uint64) {
        uint256 low = Math.min(utilization, supplyKink);
        uint256 high = utilization - low;
        return ((low * SUPPLY_SLOPE_LOW + high * SUPPLY_SLOPE_HIGH) / FACTOR_SCALE).toUint64();
    }

    function getBorrowRate(uint256 utilization) public pure returns (uint64) {
        if (utilization == 0) return 0;
        // Lenders get what borrowers pay; the margin stays in the market.
        return (getSupplyRate(utilization) * BORROW_MARGIN / utilization).toUint64();
    }

    // ---- Accounting ----

    function _accrue() private {
        totals.trackingSupplyIndex = _accruedTracking();
        (totals.baseSupplyIndex, totals.baseBorrowIndex) = _accruedIndices();
        totals.lastAccrualTime = uint40(block.timestamp);
    }

    function _accruedIndices() private view returns (uint64 supplyIndex, uint64 borrowIndex) {
        (supplyIndex, borrowIndex) = (totals.baseSupplyIndex, totals.baseBorrowIndex);
        uint256 elapsed = block.timestamp - totals.lastAccrualTime;
        if (elapsed == 0) return (supplyIndex, borrowIndex);
        uint256 utilization = getUtilization();
        supplyIndex += (supplyIndex * (getSupplyRate(utilization) * elapsed) / FACTOR_SCALE).toUint64();
        borrowIndex += (borrowIndex * (getBorrowRate(utilization) * elapsed) / FACTOR_SCALE).toUint64();
    }

    function _accruedTracking() private view returns (uint64 index) {
        index = totals.trackingSupplyIndex;
        uint256 supplied = totals.totalSupplyBase;
        if (supplied < baseMinForRewards) return index;
        uint256 elapsed = block.timestamp - totals.lastAccrualTime;
        index += (baseTrackingSupplySpeed * elapsed * baseScale / supplied).toUint64();
    }

    /// After an accrual.
    function _setPrincipal(address account, int104 before, int104 principal) private {
        totals.totalSupplyBase = totals.totalSupplyBase + _positive(principal) - _positive(before);
        totals.totalBorrowBase = totals.totalBorrowBase + _positive(-principal) - _positive(-before);
        UserBasic storage user = userBasic[account];
        uint64 index = totals.trackingSupplyIndex;
        uint256 earned = uint256(_positive(before)) * (index - user.baseTrackingIndex) / trackingIndexScale;
        user.baseTrackingAccrued += (earned * baseAccrualScale / baseScale).toUint64();
        user.baseTrackingIndex = index;
        user.principal = principal;
    }

    function _isCollateralized(address account) private view returns (bool) {
        uint256 worth = collateralOf[account] * collateralPrice / 1e18;
        return borrowBalanceOf(account) <= worth * BORROW_COLLATERAL_FACTOR / FACTOR_SCALE;
    }

    function _positive(int104 principal) private pure returns (uint104) {
        return principal > 0 ? uint104(principal) : 0;
    }

    function _presentSupply(uint256 principal, uint64 index) private pure returns (uint256) {
        return principal * index / BASE_INDEX_SCALE;
    }

    function _presentValue(int104 principal) private view returns (int256) {
        if (principal >= 0) return int256(_presentSupply(uint104(principal), totals.baseSupplyIndex));
        return -int256(uint256(uint104(-principal)) * totals.baseBorrowIndex / BASE_INDEX_SCALE);
    }

    /// Rounded against the account: claims down, debts up.
    function _principalValue(int256 present) private view returns (int104) {
        if (present >= 0) return int104(present * int256(uint256(BASE_INDEX_SCALE)) / int256(uint256(totals.baseSupplyIndex)));
        uint256 owed = Math.mulDiv(uint256(-present), BASE_INDEX_SCALE, totals.baseBorrowIndex, Math.Rounding.Ceil);
        return -int104(int256(owed));
    }
}
