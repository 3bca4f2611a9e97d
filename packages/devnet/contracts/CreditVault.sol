// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A credit vault, as those of the Euler Vault Kit: an ERC-4626 vault that people borrow from. Interest
/// raises what it is owed with every second; it pays what it holds, `cash`, which a donation does not
/// raise. The governor borrows, caps deposits, and disables deposits or withdrawals as a hook does; the
/// `max*` functions tell all of it. Without collateral, liquidation and fees. For development chains only.
contract CreditVault is ERC4626 {
    using Math for uint256;
    using SafeERC20 for IERC20;

    error NotGovernor(address account);

    uint256 private constant RAY = 1e27;

    address public immutable governor;
    /// The first borrower, which made the vault.
    address public immutable founder;
    /// What borrowers pay in a second at full utilization, in rays; proportional below.
    uint256 public immutable fullRatePerSecond;
    /// Tokens that deposits brought and nobody borrowed.
    uint256 public cash;
    /// The most assets that deposits may lead to.
    uint256 public supplyCap = type(uint256).max;
    bool public depositsDisabled;
    bool public withdrawalsDisabled;
    /// What each borrower took and did not bring back, without interest.
    mapping(address borrower => uint256) public principalOf;
    uint256 private borrowed;
    uint256 private lastAccrual;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, uint256 fullRatePerSecond_, address governor_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        governor = governor_;
        founder = msg.sender;
        fullRatePerSecond = fullRatePerSecond_;
        lastAccrual = block.timestamp;
    }

    modifier onlyGovernor() {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        _;
    }

    function setSupplyCap(uint256 cap) external onlyGovernor {
        supplyCap = cap;
    }

    function disable(bool deposits, bool withdrawals) external onlyGovernor {
        (depositsDisabled, withdrawalsDisabled) = (deposits, withdrawals);
    }

    /// Without collateral: both borrowers' keys are public.
    function borrow(uint256 assets) external {
        if (msg.sender != governor && msg.sender != founder) revert NotGovernor(msg.sender);
        _accrue();
        cash -= assets;
        borrowed += assets;
        principalOf[msg.sender] += assets;
        IERC20(asset()).safeTransfer(msg.sender, assets);
    }

    /// Takes at most what the caller borrowed.
    function repay(uint256 assets) external {
        _accrue();
        assets = Math.min(assets, principalOf[msg.sender]);
        principalOf[msg.sender] -= assets;
        borrowed -= assets;
        cash += assets;
        IERC20(asset()).safeTransferFrom(msg.sender, address(this), assets);
    }

    function totalBorrows() public view returns (uint256) {
        uint256 total = cash + borrowed;
        if (total == 0) return 0;
        uint256 rate = fullRatePerSecond.mulDiv(borrowed, total);
        return borrowed + borrowed.mulDiv(rate * (block.timestamp - lastAccrual), RAY);
    }

    function totalAssets() public view override returns (uint256) {
        return cash + totalBorrows();
    }

    function maxDeposit(address) public view override returns (uint256) {
        if (depositsDisabled) return 0;
        return supplyCap == type(uint256).max ? supplyCap : supplyCap.saturatingSub(totalAssets());
    }

    function maxMint(address receiver) public view override returns (uint256) {
        uint256 assets = maxDeposit(receiver);
        return assets == type(uint256).max ? assets : convertToShares(assets);
    }

    function maxWithdraw(address owner) public view override returns (uint256) {
        return withdrawalsDisabled ? 0 : Math.min(super.maxWithdraw(owner), cash);
    }

    function maxRedeem(address owner) public view override returns (uint256) {
        if (withdrawalsDisabled) return 0;
        uint256 held = balanceOf(owner);
        return convertToAssets(held) <= cash ? held : Math.min(held, convertToShares(cash));
    }

    function _accrue() private {
        borrowed = totalBorrows();
        lastAccrual = block.timestamp;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        _accrue();
        cash += assets;
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        _accrue();
        cash -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }
}
