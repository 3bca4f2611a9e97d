// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LendingVault} from "./LendingVault.sol";
import {QueueMarkets} from "./QueueMarkets.sol";

/// Lends everything to isolated markets and tells where, as MetaMorpho does: the contract of the markets and
/// the queue in which withdrawals empty them. The last market takes what the others have no room for. For
/// tests only: no embedded chain lists it.
contract QueueVault is LendingVault {
    using Math for uint256;
    using SafeERC20 for IERC20;

    QueueMarkets public immutable MORPHO;
    bytes32[] public withdrawQueue;
    /// The most that the vault supplies to each market but the last.
    uint256 public immutable capOfEach;

    constructor(IERC20 asset_, QueueMarkets markets_, bytes32[] memory queue_, uint256 capOfEach_)
        LendingVault(asset_, "Queue vault", "qv", msg.sender, 0)
    {
        MORPHO = markets_;
        withdrawQueue = queue_;
        capOfEach = capOfEach_;
        asset_.forceApprove(address(markets_), type(uint256).max);
    }

    function withdrawQueueLength() external view returns (uint256) {
        return withdrawQueue.length;
    }

    function liquidity() public view override returns (uint256 total) {
        for (uint256 i = 0; i < withdrawQueue.length; i++) total += _recallable(withdrawQueue[i]);
    }

    function _lent() internal view virtual override returns (uint256 total) {
        for (uint256 i = 0; i < withdrawQueue.length; i++) total += MORPHO.supplied(withdrawQueue[i], address(this));
    }

    function _room() internal pure override returns (uint256) {
        return type(uint256).max;
    }

    function _lend(uint256 assets) internal virtual override {
        uint256 last = withdrawQueue.length - 1;
        for (uint256 i = 0; i < last && assets > 0; i++) {
            bytes32 id = withdrawQueue[i];
            uint256 part = Math.min(assets, capOfEach.saturatingSub(MORPHO.supplied(id, address(this))));
            if (part > 0) MORPHO.supply(id, part);
            assets -= part;
        }
        if (assets > 0) MORPHO.supply(withdrawQueue[last], assets);
    }

    function _recall(uint256 assets) internal virtual override {
        for (uint256 i = 0; i < withdrawQueue.length && assets > 0; i++) {
            bytes32 id = withdrawQueue[i];
            uint256 part = Math.min(assets, _recallable(id));
            if (part > 0) MORPHO.withdraw(id, part);
            assets -= part;
        }
    }

    function _recallable(bytes32 id) private view returns (uint256) {
        (uint128 supplyAssets,, uint128 borrowAssets,,,) = MORPHO.market(id);
        return Math.min(MORPHO.supplied(id, address(this)), supplyAssets - borrowAssets);
    }
}
