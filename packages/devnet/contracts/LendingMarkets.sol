// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Isolated lending markets in one contract, each of one loan token against one collateral token. A
/// lender's claim is shares of its market's supply, and a market pays only from what is not borrowed:
/// at full utilization nobody can withdraw. Virtual assets and shares keep a market's first lender
/// from rounding the next one down. Prices are fixed and nobody is liquidated; the governor writes
/// bad debt off and makes it good. For development chains only.
contract LendingMarkets {
    using Math for uint256;
    using SafeERC20 for IERC20;

    error NotGovernor(address account);
    error NoMarket(uint256 id);
    error InsufficientLiquidity(uint256 id, uint256 available);
    error InsufficientCollateral(uint256 id);

    event MarketCreated(uint256 indexed id, IERC20 loan, IERC20 collateral);
    event Supplied(uint256 indexed id, address indexed lender, uint256 assets, uint256 shares);
    event Withdrawn(uint256 indexed id, address indexed lender, uint256 assets, uint256 shares);
    event CollateralSupplied(uint256 indexed id, address indexed borrower, uint256 amount);
    event Borrowed(uint256 indexed id, address indexed borrower, uint256 assets, uint256 shares);
    event Repaid(uint256 indexed id, address indexed borrower, uint256 assets, uint256 shares);
    event WrittenOff(uint256 indexed id, uint256 assets);
    event MadeGood(uint256 indexed id, uint256 assets);

    struct Terms {
        IERC20 loan;
        IERC20 collateral;
        /// Base units of the loan token for 1e18 base units of the collateral.
        uint256 price;
        /// The most debt against the collateral's value, 1e18 = 100 %.
        uint256 loanToValue;
        /// The borrowers' rate at full utilization in rays (1e27 = 100 %) a second; proportional below.
        uint256 fullRatePerSecond;
    }

    struct Market {
        Terms terms;
        uint256 supplyAssets;
        uint256 supplyShares;
        uint256 borrowAssets;
        uint256 borrowShares;
        uint256 writtenOff;
        uint256 lastAccrual;
    }

    uint256 private constant RAY = 1e27;
    uint256 private constant VIRTUAL_ASSETS = 1;
    uint256 private constant VIRTUAL_SHARES = 1e6;

    address public immutable governor;
    Market[] private markets;
    mapping(uint256 id => mapping(address lender => uint256)) public supplySharesOf;
    mapping(uint256 id => mapping(address borrower => uint256)) public borrowSharesOf;
    mapping(uint256 id => mapping(address borrower => uint256)) public collateralOf;

    constructor(address governor_) {
        governor = governor_;
    }

    modifier accrued(uint256 id) {
        if (id >= markets.length) revert NoMarket(id);
        Market storage market = markets[id];
        uint256 interest = _interest(market);
        market.borrowAssets += interest;
        market.supplyAssets += interest;
        market.lastAccrual = block.timestamp;
        _;
    }

    modifier onlyGovernor() {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        _;
    }

    /// Anyone may create a market, as it is isolated. Ids count up from 0.
    function createMarket(Terms calldata terms) external returns (uint256 id) {
        id = markets.length;
        Market storage market = markets.push();
        market.terms = terms;
        market.lastAccrual = block.timestamp;
        emit MarketCreated(id, terms.loan, terms.collateral);
    }

    function supply(uint256 id, uint256 assets) external accrued(id) returns (uint256 shares) {
        Market storage market = markets[id];
        shares = _toShares(assets, market.supplyAssets, market.supplyShares, Math.Rounding.Floor);
        market.supplyAssets += assets;
        market.supplyShares += shares;
        supplySharesOf[id][msg.sender] += shares;
        market.terms.loan.safeTransferFrom(msg.sender, address(this), assets);
        emit Supplied(id, msg.sender, assets, shares);
    }

    /// Pays exactly this amount for shares rounded up.
    function withdraw(uint256 id, uint256 assets) external accrued(id) returns (uint256 shares) {
        Market storage market = markets[id];
        uint256 available = market.supplyAssets - market.borrowAssets;
        if (assets > available) revert InsufficientLiquidity(id, available);
        shares = _toShares(assets, market.supplyAssets, market.supplyShares, Math.Rounding.Ceil);
        supplySharesOf[id][msg.sender] -= shares;
        market.supplyShares -= shares;
        market.supplyAssets -= assets;
        market.terms.loan.safeTransfer(msg.sender, assets);
        emit Withdrawn(id, msg.sender, assets, shares);
    }

    function supplyCollateral(uint256 id, uint256 amount) external accrued(id) {
        collateralOf[id][msg.sender] += amount;
        markets[id].terms.collateral.safeTransferFrom(msg.sender, address(this), amount);
        emit CollateralSupplied(id, msg.sender, amount);
    }

    function borrow(uint256 id, uint256 assets) external accrued(id) returns (uint256 shares) {
        Market storage market = markets[id];
        uint256 available = market.supplyAssets - market.borrowAssets;
        if (assets > available) revert InsufficientLiquidity(id, available);
        shares = _toShares(assets, market.borrowAssets, market.borrowShares, Math.Rounding.Ceil);
        market.borrowAssets += assets;
        market.borrowShares += shares;
        borrowSharesOf[id][msg.sender] += shares;
        uint256 debt = _toAssets(borrowSharesOf[id][msg.sender], market.borrowAssets, market.borrowShares);
        uint256 worth = collateralOf[id][msg.sender].mulDiv(market.terms.price, 1e18);
        if (debt > worth.mulDiv(market.terms.loanToValue, 1e18)) revert InsufficientCollateral(id);
        market.terms.loan.safeTransfer(msg.sender, assets);
        emit Borrowed(id, msg.sender, assets, shares);
    }

    /// Repays this amount of the caller's debt, at most all of it; returns what it took.
    function repay(uint256 id, uint256 assets) external accrued(id) returns (uint256 paid) {
        Market storage market = markets[id];
        uint256 held = borrowSharesOf[id][msg.sender];
        uint256 shares = Math.min(held, _toShares(assets, market.borrowAssets, market.borrowShares, Math.Rounding.Floor));
        // Virtual shares own a part of the debt, so the last unit may be missing.
        paid = Math.min(_toAssetsUp(shares, market.borrowAssets, market.borrowShares), market.borrowAssets);
        borrowSharesOf[id][msg.sender] = held - shares;
        market.borrowShares -= shares;
        market.borrowAssets -= paid;
        market.terms.loan.safeTransferFrom(msg.sender, address(this), paid);
        emit Repaid(id, msg.sender, paid, shares);
    }

    /// Bad debt: this part of the market's supply, as far as it is borrowed, is neither owed nor owned.
    function writeOff(uint256 id, uint256 basisPoints) external onlyGovernor accrued(id) {
        Market storage market = markets[id];
        uint256 assets = Math.min(market.supplyAssets.mulDiv(basisPoints, 10_000), market.borrowAssets);
        market.borrowAssets -= assets;
        market.supplyAssets -= assets;
        market.writtenOff += assets;
        emit WrittenOff(id, assets);
    }

    /// The caller pays for every loss so far.
    function makeGood(uint256 id) external accrued(id) {
        Market storage market = markets[id];
        uint256 assets = market.writtenOff;
        market.writtenOff = 0;
        market.supplyAssets += assets;
        market.terms.loan.safeTransferFrom(msg.sender, address(this), assets);
        emit MadeGood(id, assets);
    }

    // ---- Views, with the interest until now ----

    function supplied(uint256 id, address lender) public view returns (uint256) {
        Market storage market = markets[id];
        uint256 shares = supplySharesOf[id][lender];
        return _toAssets(shares, market.supplyAssets + _interest(market), market.supplyShares);
    }

    function owed(uint256 id, address borrower) external view returns (uint256) {
        Market storage market = markets[id];
        return _toAssetsUp(borrowSharesOf[id][borrower], market.borrowAssets + _interest(market), market.borrowShares);
    }

    function liquidityOf(uint256 id) external view returns (uint256) {
        return markets[id].supplyAssets - markets[id].borrowAssets;
    }

    function totals(uint256 id)
        external
        view
        returns (uint256 supplyAssets, uint256 borrowAssets, uint256 writtenOff, Terms memory terms)
    {
        Market storage market = markets[id];
        uint256 interest = _interest(market);
        return (market.supplyAssets + interest, market.borrowAssets + interest, market.writtenOff, market.terms);
    }

    /// Simple between two interactions.
    function _interest(Market storage market) private view returns (uint256) {
        uint256 elapsed = block.timestamp - market.lastAccrual;
        if (elapsed == 0 || market.borrowAssets == 0) return 0;
        uint256 rate = market.terms.fullRatePerSecond.mulDiv(market.borrowAssets, market.supplyAssets);
        return market.borrowAssets.mulDiv(rate * elapsed, RAY);
    }

    function _toShares(uint256 assets, uint256 totalAssets, uint256 totalShares, Math.Rounding rounding)
        private
        pure
        returns (uint256)
    {
        return assets.mulDiv(totalShares + VIRTUAL_SHARES, totalAssets + VIRTUAL_ASSETS, rounding);
    }

    function _toAssets(uint256 shares, uint256 totalAssets, uint256 totalShares) private pure returns (uint256) {
        return shares.mulDiv(totalAssets + VIRTUAL_ASSETS, totalShares + VIRTUAL_SHARES);
    }

    function _toAssetsUp(uint256 shares, uint256 totalAssets, uint256 totalShares) private pure returns (uint256) {
        return shares.mulDiv(totalAssets + VIRTUAL_ASSETS, totalShares + VIRTUAL_SHARES, Math.Rounding.Ceil);
    }
}
