// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {FluidLayer} from "./FluidLayer.sol";
import {FluidOperate} from "./FluidOperate.sol";

/// An ERC-4626 vault as Fluid's fTokens are: everything is at the layer, `getData` names it, `maxWithdraw`
/// tells its limit and its tokens, and neither it nor `maxDeposit` tells a pause. Without rewards. For
/// development chains only.
contract FluidToken is ERC4626 {
    using Math for uint256;
    using SafeERC20 for IERC20;

    uint256 private constant PRICE_SCALE = 1e12;

    FluidLayer public immutable layer;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, FluidLayer layer_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        layer = layer_;
    }

    /// The layer; factory, rewards, permits and rebalancer, which this vault has not; then what it has at the
    /// layer, the layer's price, and the price of a share.
    function getData()
        external
        view
        returns (address, address, address, address, address, bool, uint256, uint256, uint256)
    {
        uint256 price = layer.supplyPrice(asset());
        uint256 balance = layer.suppliedBy(address(this), asset());
        address none = address(0);
        return (address(layer), none, none, none, none, false, balance, price, price);
    }

    function totalAssets() public view override returns (uint256) {
        return totalSupply().mulDiv(layer.supplyPrice(asset()), PRICE_SCALE);
    }

    function maxDeposit(address) public view override returns (uint256) {
        return uint256(uint128(type(int128).max)) - totalAssets();
    }

    function maxMint(address receiver) public view override returns (uint256) {
        return convertToShares(maxDeposit(receiver));
    }

    function maxWithdraw(address owner) public view override returns (uint256) {
        return Math.min(convertToAssets(balanceOf(owner)), layer.withdrawableBy(address(this), asset()));
    }

    function maxRedeem(address owner) public view override returns (uint256) {
        return Math.min(balanceOf(owner), convertToShares(layer.withdrawableBy(address(this), asset())));
    }

    /// The layer refuses what is too much, with its own error.
    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256 shares) {
        shares = previewWithdraw(assets);
        _withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256 assets) {
        assets = previewRedeem(shares);
        _withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        return assets.mulDiv(PRICE_SCALE, layer.supplyPrice(asset()), rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        return shares.mulDiv(layer.supplyPrice(asset()), PRICE_SCALE, rounding);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        IERC20(asset()).safeTransferFrom(caller, address(layer), assets);
        _operate(int256(assets), address(0));
        _mint(receiver, shares);
        emit Deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _burn(owner, shares);
        _operate(-int256(assets), receiver);
        emit Withdraw(caller, receiver, owner, assets, shares);
    }

    /// The layer runs the code of this function.
    function _operate(int256 amount, address to) private {
        FluidOperate(address(layer)).operate(asset(), amount, 0, to, address(0), "");
    }
}
