// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ClaimEscrow} from "./ClaimEscrow.sol";
import {YieldVault} from "./YieldVault.sol";

/// A vault that is left through a cooldown, as staked dollars are: shares are burned at once, earn
/// nothing from then on, and their assets can be claimed when the time is over. Another cooldown
/// restarts the time for all of it. `withdraw` and `redeem` revert while there is a cooldown, although
/// `maxWithdraw` returns the position. For development chains only.
contract CooldownVault is YieldVault {
    error NotGovernor(address account);
    error CooldownActive();
    error NothingToClaim();
    error StillCooling(uint256 end);

    event CooldownStarted(address indexed owner, uint256 assets, uint256 shares, uint256 end);
    event Unstaked(address indexed owner, address indexed receiver, uint256 assets);
    event CooldownDurationSet(uint256 duration);

    struct Cooldown {
        uint256 end;
        uint256 assets;
    }

    address public immutable governor;
    ClaimEscrow public immutable escrow;
    uint256 public cooldownDuration;
    mapping(address owner => Cooldown) public cooldowns;

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        uint256 ratePerSecond_,
        address governor_,
        uint256 cooldownDuration_
    ) YieldVault(asset_, name_, symbol_, ratePerSecond_, type(uint256).max) {
        governor = governor_;
        cooldownDuration = cooldownDuration_;
        escrow = new ClaimEscrow(asset_);
    }

    /// 0 ends the cooldown for everyone, and allows withdrawals.
    function setCooldownDuration(uint256 duration) external {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        cooldownDuration = duration;
        emit CooldownDurationSet(duration);
    }

    function cooldownShares(uint256 shares) external returns (uint256 assets) {
        assets = _convertToAssets(shares, Math.Rounding.Floor);
        _cool(assets, shares);
    }

    function cooldownAssets(uint256 assets) external returns (uint256 shares) {
        shares = _convertToShares(assets, Math.Rounding.Ceil);
        _cool(assets, shares);
    }

    function unstake(address receiver) external {
        Cooldown memory cooldown = cooldowns[msg.sender];
        if (cooldown.assets == 0) revert NothingToClaim();
        if (cooldownDuration > 0 && block.timestamp < cooldown.end) revert StillCooling(cooldown.end);
        delete cooldowns[msg.sender];
        escrow.pay(receiver, cooldown.assets);
        emit Unstaked(msg.sender, receiver, cooldown.assets);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256) {
        if (cooldownDuration > 0) revert CooldownActive();
        return super.withdraw(assets, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256) {
        if (cooldownDuration > 0) revert CooldownActive();
        return super.redeem(shares, receiver, owner);
    }

    function _cool(uint256 assets, uint256 shares) private {
        _withdraw(msg.sender, address(escrow), msg.sender, assets, shares);
        Cooldown storage cooldown = cooldowns[msg.sender];
        cooldown.assets += assets;
        cooldown.end = block.timestamp + cooldownDuration;
        emit CooldownStarted(msg.sender, assets, shares, cooldown.end);
    }
}
