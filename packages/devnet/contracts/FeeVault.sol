// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A vault that keeps a part of each deposit and of each withdrawal, which its share price does not show. Its previews
/// announce it, as the standard demands, or conceal it. For tests only: no embedded chain lists it.
contract FeeVault is ERC4626 {
    uint256 private constant WHOLE = 10_000;
    address private constant COLLECTOR = address(0xfee);

    /// In hundredths of a percent.
    uint256 public entryFee;
    uint256 public exitFee;
    bool public conceals;
    bool private _moves;

    constructor(IERC20 asset_) ERC20("Fee vault", "fv") ERC4626(asset_) {}

    function setFees(uint256 entryFee_, uint256 exitFee_, bool conceals_) external {
        (entryFee, exitFee, conceals) = (entryFee_, exitFee_, conceals_);
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return super.previewDeposit(assets - _entryFeeOf(assets));
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        return Math.ceilDiv(super.previewMint(shares) * WHOLE, WHOLE - _charged(entryFee));
    }

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return super.previewWithdraw(_beforeExit(assets));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewRedeem(shares);
        return assets - Math.ceilDiv(assets * _charged(exitFee), WHOLE);
    }

    function maxWithdraw(address owner) public view override returns (uint256) {
        return previewRedeem(balanceOf(owner));
    }

    function deposit(uint256 assets, address receiver) public override returns (uint256 shares) {
        _moves = true;
        shares = super.deposit(assets, receiver);
        SafeERC20.safeTransfer(IERC20(asset()), COLLECTOR, _entryFeeOf(assets));
        _moves = false;
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256 shares) {
        _moves = true;
        shares = super.withdraw(assets, receiver, owner);
        SafeERC20.safeTransfer(IERC20(asset()), COLLECTOR, _beforeExit(assets) - assets);
        _moves = false;
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256 assets) {
        _moves = true;
        uint256 whole = super.previewRedeem(shares);
        assets = super.redeem(shares, receiver, owner);
        SafeERC20.safeTransfer(IERC20(asset()), COLLECTOR, whole - assets);
        _moves = false;
    }

    function _charged(uint256 fee) private view returns (uint256) {
        return conceals && !_moves ? 0 : fee;
    }

    function _entryFeeOf(uint256 assets) private view returns (uint256) {
        return Math.ceilDiv(assets * _charged(entryFee), WHOLE);
    }

    function _beforeExit(uint256 assets) private view returns (uint256) {
        return Math.ceilDiv(assets * WHOLE, WHOLE - _charged(exitFee));
    }

    /// Twelve more decimals than the asset: rounding stays far below a unit of the asset.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 12;
    }
}
