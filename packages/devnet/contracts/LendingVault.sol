// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// An ERC-4626 vault that lends every token on and keeps none: a deposit lends at once, a withdrawal
/// recalls. What it can pay now is what its borrowers left, not what it is owed. The governor sets a
/// cap, a performance fee and a pause. The bounds that protect it are internal; the `max*` functions
/// only report them. For development chains only.
abstract contract LendingVault is ERC4626 {
    using Math for uint256;

    error NotGovernor(address account);
    error FeeTooHigh(uint256 basisPoints);

    event PausedSet(bool paused);
    event CapSet(uint256 cap);
    event FeeSet(uint256 basisPoints);

    uint256 internal constant BASIS_POINTS = 10_000;
    uint256 private constant FEE_MAX = 5_000;

    /// Sets the vault's state and receives the fee.
    address public immutable governor;
    bool public paused;
    /// The most assets that deposits may lead to.
    uint256 public cap = type(uint256).max;
    /// The governor's part of the yield.
    uint256 public feeBasisPoints;
    /// Total assets when the fee was last taken; yield is what came on top.
    uint256 public lastTotalAssets;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, address governor_, uint256 feeBasisPoints_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        governor = governor_;
        feeBasisPoints = feeBasisPoints_;
    }

    modifier onlyGovernor() {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        _;
    }

    function setPaused(bool paused_) external onlyGovernor {
        paused = paused_;
        emit PausedSet(paused_);
    }

    function setCap(uint256 cap_) external onlyGovernor {
        cap = cap_;
        emit CapSet(cap_);
    }

    function setFee(uint256 basisPoints) external onlyGovernor {
        if (basisPoints > FEE_MAX) revert FeeTooHigh(basisPoints);
        accrue();
        feeBasisPoints = basisPoints;
        emit FeeSet(basisPoints);
    }

    /// Mints the shares of the fee on the yield since the last call.
    function accrue() public {
        (uint256 feeShares, uint256 total) = _pendingFee();
        lastTotalAssets = total;
        if (feeShares > 0) _mint(governor, feeShares);
    }

    // ---- What each vault knows about where it lends ----

    /// What the vault is owed, with interest until now.
    function _lent() internal view virtual returns (uint256);

    /// The most that can be recalled now.
    function liquidity() public view virtual returns (uint256);

    /// The most that can be lent now.
    function _room() internal view virtual returns (uint256);

    function _lend(uint256 assets) internal virtual;

    function _recall(uint256 assets) internal virtual;

    function totalAssets() public view override returns (uint256) {
        return _lent();
    }

    // ---- Bounds ----

    function maxDeposit(address) public view virtual override returns (uint256) {
        return _depositable();
    }

    function maxMint(address) public view virtual override returns (uint256) {
        return _mintable();
    }

    function maxWithdraw(address owner) public view virtual override returns (uint256) {
        return _withdrawable(owner);
    }

    function maxRedeem(address owner) public view virtual override returns (uint256) {
        return _redeemable(owner);
    }

    function _depositable() internal view returns (uint256) {
        return paused ? 0 : Math.min(cap.saturatingSub(totalAssets()), _room());
    }

    function _mintable() internal view returns (uint256) {
        uint256 assets = _depositable();
        return assets == type(uint256).max ? assets : _convertToShares(assets, Math.Rounding.Floor);
    }

    function _withdrawable(address owner) internal view returns (uint256) {
        return paused ? 0 : Math.min(_convertToAssets(balanceOf(owner), Math.Rounding.Floor), liquidity());
    }

    function _redeemable(address owner) internal view returns (uint256) {
        if (paused) return 0;
        uint256 liquid = liquidity();
        uint256 held = balanceOf(owner);
        if (_convertToAssets(held, Math.Rounding.Floor) <= liquid) return held;
        return Math.min(held, _convertToShares(liquid, Math.Rounding.Floor));
    }

    // ---- Deposits and withdrawals ----

    function deposit(uint256 assets, address receiver) public override returns (uint256 shares) {
        uint256 most = _depositable();
        if (assets > most) revert ERC4626ExceededMaxDeposit(receiver, assets, most);
        shares = previewDeposit(assets);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    function mint(uint256 shares, address receiver) public override returns (uint256 assets) {
        uint256 most = _mintable();
        if (shares > most) revert ERC4626ExceededMaxMint(receiver, shares, most);
        assets = previewMint(shares);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256 shares) {
        uint256 most = _withdrawable(owner);
        if (assets > most) revert ERC4626ExceededMaxWithdraw(owner, assets, most);
        shares = previewWithdraw(assets);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256 assets) {
        uint256 most = _redeemable(owner);
        if (shares > most) revert ERC4626ExceededMaxRedeem(owner, shares, most);
        assets = previewRedeem(shares);
        _withdraw(_msgSender(), receiver, owner, assets, shares);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        accrue();
        super._deposit(caller, receiver, assets, shares);
        _lend(assets);
        lastTotalAssets = totalAssets();
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        accrue();
        _recall(assets);
        super._withdraw(caller, receiver, owner, assets, shares);
        lastTotalAssets = totalAssets();
    }

    // ---- Price: shares for a fee that is due count as minted ----

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _pendingFee();
        return assets.mulDiv(totalSupply() + feeShares + 10 ** _decimalsOffset(), total + 1, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _pendingFee();
        return shares.mulDiv(total + 1, totalSupply() + feeShares + 10 ** _decimalsOffset(), rounding);
    }

    function _pendingFee() private view returns (uint256 feeShares, uint256 total) {
        total = totalAssets();
        uint256 fee = total.saturatingSub(lastTotalAssets).mulDiv(feeBasisPoints, BASIS_POINTS);
        if (fee > 0) feeShares = fee.mulDiv(totalSupply() + 10 ** _decimalsOffset(), total + 1 - fee);
    }

    /// Twelve more decimals than the asset: donating to the vault to round others down stays unprofitable.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 12;
    }
}
