// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface ITrackingMarket {
    function accrueAccount(address account) external;
    function baseTrackingAccrued(address account) external view returns (uint64);
}

/// Pays what markets tracked for their lenders, with the external interface of Compound's CometRewards,
/// from the tokens that it holds. For development chains only.
contract MarketRewards {
    using SafeERC20 for IERC20Metadata;

    error AlreadyConfigured(address market);
    error NotOwner(address account);
    error NotSupported(address market);

    event RewardClaimed(address indexed src, address indexed recipient, address indexed token, uint256 amount);

    struct RewardConfig {
        address token;
        uint64 rescaleFactor;
        bool shouldUpscale;
        uint256 multiplier;
    }

    uint256 private constant FACTOR_SCALE = 1e18;
    /// The scale of `baseTrackingAccrued` of every market.
    uint256 private constant ACCRUAL_SCALE = 1e6;

    address public immutable owner;
    mapping(address market => RewardConfig) public rewardConfig;
    mapping(address market => mapping(address account => uint256)) public rewardsClaimed;

    constructor() {
        owner = msg.sender;
    }

    function setRewardConfigWithMultiplier(address market, address token, uint256 multiplier) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        if (rewardConfig[market].token != address(0)) revert AlreadyConfigured(market);
        uint256 tokenScale = 10 ** IERC20Metadata(token).decimals();
        bool shouldUpscale = tokenScale >= ACCRUAL_SCALE;
        uint256 factor = shouldUpscale ? tokenScale / ACCRUAL_SCALE : ACCRUAL_SCALE / tokenScale;
        rewardConfig[market] = RewardConfig(token, uint64(factor), shouldUpscale, multiplier);
    }

    /// To the account that earned it; anybody may call.
    function claim(address market, address src, bool shouldAccrue) external {
        RewardConfig memory config = rewardConfig[market];
        if (config.token == address(0)) revert NotSupported(market);
        if (shouldAccrue) ITrackingMarket(market).accrueAccount(src);
        uint256 accrued = ITrackingMarket(market).baseTrackingAccrued(src);
        accrued = config.shouldUpscale ? accrued * config.rescaleFactor : accrued / config.rescaleFactor;
        accrued = accrued * config.multiplier / FACTOR_SCALE;
        uint256 claimed = rewardsClaimed[market][src];
        if (accrued <= claimed) return;
        rewardsClaimed[market][src] = accrued;
        IERC20Metadata(config.token).safeTransfer(src, accrued - claimed);
        emit RewardClaimed(src, src, config.token, accrued - claimed);
    }
}
