// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LendingMarkets} from "./LendingMarkets.sol";
import {LendingVault} from "./LendingVault.sol";

/// Lends everything to isolated markets: deposits fill them in order up to a cap each, withdrawals
/// empty them in order as far as each can pay. For development chains only.
contract MarketsVault is LendingVault {
    using Math for uint256;
    using SafeERC20 for IERC20;

    struct Allocation {
        uint256 id;
        /// The most that the vault supplies to this market.
        uint256 cap;
    }

    LendingMarkets public immutable markets;
    Allocation[] public allocations;

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        address governor_,
        uint256 feeBasisPoints_,
        LendingMarkets markets_,
        Allocation[] memory allocations_
    ) LendingVault(asset_, name_, symbol_, governor_, feeBasisPoints_) {
        markets = markets_;
        for (uint256 i = 0; i < allocations_.length; i++) allocations.push(allocations_[i]);
        asset_.forceApprove(address(markets_), type(uint256).max);
    }

    function _lent() internal view override returns (uint256 total) {
        for (uint256 i = 0; i < allocations.length; i++) total += markets.supplied(allocations[i].id, address(this));
    }

    function liquidity() public view override returns (uint256 total) {
        for (uint256 i = 0; i < allocations.length; i++) total += _recallable(allocations[i].id);
    }

    function marketIds() external view returns (uint256[] memory ids) {
        ids = new uint256[](allocations.length);
        for (uint256 i = 0; i < ids.length; i++) ids[i] = allocations[i].id;
    }

    function _room() internal view override returns (uint256 total) {
        for (uint256 i = 0; i < allocations.length; i++) total = total.saturatingAdd(_roomIn(allocations[i]));
    }

    function _lend(uint256 assets) internal override {
        for (uint256 i = 0; i < allocations.length && assets > 0; i++) {
            uint256 part = Math.min(assets, _roomIn(allocations[i]));
            if (part > 0) markets.supply(allocations[i].id, part);
            assets -= part;
        }
    }

    function _recall(uint256 assets) internal override {
        for (uint256 i = 0; i < allocations.length && assets > 0; i++) {
            uint256 part = Math.min(assets, _recallable(allocations[i].id));
            if (part > 0) markets.withdraw(allocations[i].id, part);
            assets -= part;
        }
        // The rest, if any, fails in super._withdraw: the vault holds no tokens.
    }

    function _roomIn(Allocation storage allocation) private view returns (uint256) {
        return allocation.cap.saturatingSub(markets.supplied(allocation.id, address(this)));
    }

    function _recallable(uint256 id) private view returns (uint256) {
        return Math.min(markets.supplied(id, address(this)), markets.liquidityOf(id));
    }
}
