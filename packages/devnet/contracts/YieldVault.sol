// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

interface IMintable {
    function mint(address to, uint256 value) external;
}

/// An ERC-4626 vault whose price per share grows with every second at a fixed yearly rate. What it
/// owes is counted in totalAssets at once and minted before every deposit and withdrawal, so that it
/// is always liquid. It must be a minter of its asset. For development chains only.
contract YieldVault is ERC4626 {
    uint256 private constant RAY = 1e27;

    /// Growth of the assets per second, in rays (1e27 = 100 %); simple between two interactions.
    uint256 public immutable ratePerSecond;
    /// The most that one deposit may bring, in units of the asset.
    uint256 public immutable depositLimit;
    uint256 public lastAccrual;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, uint256 ratePerSecond_, uint256 depositLimit_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        ratePerSecond = ratePerSecond_;
        depositLimit = depositLimit_;
        lastAccrual = block.timestamp;
    }

    function totalAssets() public view override returns (uint256) {
        return _balance() + _owed();
    }

    function maxDeposit(address) public view override returns (uint256) {
        return depositLimit;
    }

    function maxMint(address) public view override returns (uint256) {
        return depositLimit == type(uint256).max ? depositLimit : convertToShares(depositLimit);
    }

    /// Mints the yield owed since the last interaction into the vault.
    function accrue() public {
        uint256 owed = _owed();
        lastAccrual = block.timestamp;
        if (owed > 0) IMintable(asset()).mint(address(this), owed);
    }

    function _balance() private view returns (uint256) {
        return IERC20(asset()).balanceOf(address(this));
    }

    function _owed() private view returns (uint256) {
        return Math.mulDiv(_balance(), ratePerSecond * (block.timestamp - lastAccrual), RAY);
    }

    /// Twelve more decimals than the asset: donating to the vault to round others down stays unprofitable.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 12;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        accrue();
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        accrue();
        super._withdraw(caller, receiver, owner, assets, shares);
    }
}
