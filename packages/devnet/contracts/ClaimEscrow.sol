// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Holds what a vault owes for shares that are burned already, apart from the assets of its other
/// holders. Only the vault that created it pays out. For development chains only.
contract ClaimEscrow {
    using SafeERC20 for IERC20;

    error NotVault(address account);

    address private immutable vault = msg.sender;
    IERC20 private immutable asset;

    constructor(IERC20 asset_) {
        asset = asset_;
    }

    function pay(address to, uint256 assets) external {
        if (msg.sender != vault) revert NotVault(msg.sender);
        asset.safeTransfer(to, assets);
    }
}
