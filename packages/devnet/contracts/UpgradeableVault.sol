// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {YieldVault} from "./YieldVault.sol";

/// The code behind an upgradeable vault. Its constants are immutables of the code, so that every
/// implementation brings its own; the proxy keeps the shares. For development chains only.
contract UpgradeableVault is YieldVault {
    error AlreadyInitialized();

    uint256 public immutable codeVersion;

    constructor(
        IERC20 asset_,
        uint256 ratePerSecond_,
        uint256 codeVersion_
    ) YieldVault(asset_, "Upgradeable USDC", "upUSDC", ratePerSecond_, type(uint256).max) {
        codeVersion = codeVersion_;
    }

    /// The code's own name: the proxy has no storage of it.
    function name() public pure override(ERC20, IERC20Metadata) returns (string memory) {
        return "Upgradeable USDC";
    }

    function symbol() public pure override(ERC20, IERC20Metadata) returns (string memory) {
        return "upUSDC";
    }

    /// The proxy's yield counts from here.
    function initialize() external {
        if (lastAccrual != 0) revert AlreadyInitialized();
        lastAccrual = block.timestamp;
    }
}
