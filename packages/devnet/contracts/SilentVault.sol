// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LendingMarkets} from "./LendingMarkets.sol";
import {MarketsVault} from "./MarketsVault.sol";

/// A vault whose `max*` functions return 0 by design, though deposits and withdrawals work: ERC-4626
/// allows a bound that is too low, and some vaults whose real bounds depend on more than the caller
/// report none. Only a simulation shows what it pays. For development chains only.
contract SilentVault is MarketsVault {
    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        address governor_,
        uint256 feeBasisPoints_,
        LendingMarkets markets_,
        Allocation[] memory allocations_
    ) MarketsVault(asset_, name_, symbol_, governor_, feeBasisPoints_, markets_, allocations_) {}

    function maxDeposit(address) public pure override returns (uint256) {
        return 0;
    }

    function maxMint(address) public pure override returns (uint256) {
        return 0;
    }

    function maxWithdraw(address) public pure override returns (uint256) {
        return 0;
    }

    function maxRedeem(address) public pure override returns (uint256) {
        return 0;
    }
}
