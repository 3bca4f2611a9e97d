// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {QueueMarkets} from "./QueueMarkets.sol";
import {QueueVault} from "./QueueVault.sol";

/// Counts what its markets lost among its assets, as MetaMorpho V1.1 does: the share price never falls, and
/// the last ones to withdraw are not paid. For tests only: no embedded chain lists it.
contract LossKeepingVault is QueueVault {
    /// As of the last deposit or withdrawal.
    uint256 public lostAssets;

    constructor(IERC20 asset_, QueueMarkets markets_, bytes32[] memory queue_, uint256 capOfEach_)
        QueueVault(asset_, markets_, queue_, capOfEach_)
    {}

    function _lent() internal view override returns (uint256) {
        uint256 held = super._lent();
        return held + _lostWith(held);
    }

    function _lend(uint256 assets) internal override {
        lostAssets = _lostWith(super._lent());
        super._lend(assets);
    }

    function _recall(uint256 assets) internal override {
        lostAssets = _lostWith(super._lent());
        // What is paid out is no loss.
        lastTotalAssets -= assets;
        super._recall(assets);
    }

    function _lostWith(uint256 held) private view returns (uint256) {
        return held + lostAssets < lastTotalAssets ? lastTotalAssets - held : lostAssets;
    }
}
