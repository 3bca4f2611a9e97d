// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

interface IMintable {
    function mint(address to, uint256 value) external;
}

/// A savings vault with the rate of sUSDS: the price per share is an accumulator that a governed factor
/// multiplies with every second. Nothing is lent on; what the price grew by is minted before every
/// deposit, withdrawal and change of the rate, so the vault can always pay everybody. It must be a
/// minter of its asset. For development chains only.
contract SavingsVault is ERC4626 {
    error NotGovernor(address account);
    error WrongRate(uint256 ssr);

    event Drip(uint256 chi, uint256 diff);
    event RateSet(uint256 ssr);

    uint256 private constant RAY = 1e27;
    /// 100 % a year before compounding.
    uint256 private constant RATE_MAX = RAY + RAY / 31_536_000;

    address public immutable governor;
    /// The price per share at `rho`, in rays.
    uint192 public chi = uint192(RAY);
    /// When `chi` was written.
    uint64 public rho;
    /// The factor of each second, in rays.
    uint256 public ssr;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, uint256 ssr_, address governor_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        governor = governor_;
        rho = uint64(block.timestamp);
        ssr = ssr_;
    }

    function setRate(uint256 ssr_) external {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        if (ssr_ < RAY || ssr_ > RATE_MAX) revert WrongRate(ssr_);
        drip();
        ssr = ssr_;
        emit RateSet(ssr_);
    }

    /// Writes the present price per share and mints what it grew by.
    function drip() public {
        uint256 grown = _nowChi();
        uint256 diff = _worth(totalSupply(), grown, Math.Rounding.Floor) - _worth(totalSupply(), chi, Math.Rounding.Floor);
        chi = uint192(grown);
        rho = uint64(block.timestamp);
        if (diff > 0) IMintable(asset()).mint(address(this), diff);
        emit Drip(grown, diff);
    }

    function totalAssets() public view override returns (uint256) {
        return _worth(totalSupply(), _nowChi(), Math.Rounding.Floor);
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        return Math.mulDiv(assets, RAY, _nowChi(), rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        return _worth(shares, _nowChi(), rounding);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        drip();
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        drip();
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _worth(uint256 shares, uint256 price, Math.Rounding rounding) private pure returns (uint256) {
        return Math.mulDiv(shares, price, RAY, rounding);
    }

    function _nowChi() private view returns (uint256 grown) {
        grown = chi;
        uint256 factor = ssr;
        for (uint256 elapsed = block.timestamp - rho; elapsed > 0; elapsed >>= 1) {
            if (elapsed & 1 == 1) grown = Math.mulDiv(grown, factor, RAY);
            factor = Math.mulDiv(factor, factor, RAY);
        }
    }
}
