// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Isolated markets of one token that tell their state as Morpho Blue does: totals and positions by the id
/// of a market, as of its last movement. Anyone may borrow, without collateral. For tests only: no embedded
/// chain has it.
contract QueueMarkets {
    using Math for uint256;
    using SafeERC20 for IERC20;

    struct Market {
        uint128 totalSupplyAssets;
        uint128 totalSupplyShares;
        uint128 totalBorrowAssets;
        uint128 totalBorrowShares;
        uint128 lastUpdate;
        uint128 fee;
    }

    struct Position {
        uint256 supplyShares;
        uint128 borrowShares;
        uint128 collateral;
    }

    uint256 private constant RAY = 1e27;
    uint256 private constant VIRTUAL_ASSETS = 1;
    uint256 private constant VIRTUAL_SHARES = 1e6;

    IERC20 public immutable token;
    /// What borrowers pay in a second, in rays.
    uint256 public immutable ratePerSecond;
    mapping(bytes32 id => Market) public market;
    mapping(bytes32 id => mapping(address owner => Position)) public position;

    constructor(IERC20 token_, uint256 ratePerSecond_) {
        token = token_;
        ratePerSecond = ratePerSecond_;
    }

    function supply(bytes32 id, uint256 assets) external {
        Market storage to = _accrued(id);
        uint256 shares = assets.mulDiv(to.totalSupplyShares + VIRTUAL_SHARES, to.totalSupplyAssets + VIRTUAL_ASSETS);
        to.totalSupplyAssets += uint128(assets);
        to.totalSupplyShares += uint128(shares);
        position[id][msg.sender].supplyShares += shares;
        token.safeTransferFrom(msg.sender, address(this), assets);
    }

    function withdraw(bytes32 id, uint256 assets) external {
        Market storage from = _accrued(id);
        uint256 shares = assets.mulDiv(
            from.totalSupplyShares + VIRTUAL_SHARES, from.totalSupplyAssets + VIRTUAL_ASSETS, Math.Rounding.Ceil
        );
        position[id][msg.sender].supplyShares -= shares;
        from.totalSupplyShares -= uint128(shares);
        from.totalSupplyAssets -= uint128(assets);
        require(from.totalBorrowAssets <= from.totalSupplyAssets, "insufficient liquidity");
        token.safeTransfer(msg.sender, assets);
    }

    function borrow(bytes32 id, uint256 assets) external {
        Market storage from = _accrued(id);
        from.totalBorrowAssets += uint128(assets);
        require(from.totalBorrowAssets <= from.totalSupplyAssets, "insufficient liquidity");
        token.safeTransfer(msg.sender, assets);
    }

    function repay(bytes32 id, uint256 assets) external {
        _accrued(id).totalBorrowAssets -= uint128(assets);
        token.safeTransferFrom(msg.sender, address(this), assets);
    }

    /// What borrowers never repay is lost to those who supplied, as when Morpho realizes bad debt.
    function writeOff(bytes32 id, uint256 assets) external {
        Market storage from = _accrued(id);
        from.totalBorrowAssets -= uint128(assets);
        from.totalSupplyAssets -= uint128(assets);
    }

    /// With the interest until now.
    function supplied(bytes32 id, address owner) external view returns (uint256) {
        Market memory current = market[id];
        return position[id][owner].supplyShares.mulDiv(
            current.totalSupplyAssets + _interest(current) + VIRTUAL_ASSETS, current.totalSupplyShares + VIRTUAL_SHARES
        );
    }

    function _accrued(bytes32 id) private returns (Market storage current) {
        current = market[id];
        uint128 interest = uint128(_interest(current));
        current.totalSupplyAssets += interest;
        current.totalBorrowAssets += interest;
        current.lastUpdate = uint128(block.timestamp);
    }

    function _interest(Market memory current) private view returns (uint256) {
        return uint256(current.totalBorrowAssets).mulDiv(ratePerSecond * (block.timestamp - current.lastUpdate), RAY);
    }
}
