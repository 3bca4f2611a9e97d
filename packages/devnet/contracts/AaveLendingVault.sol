// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LendingVault} from "./LendingVault.sol";

struct AaveReserve {
    uint256 configuration;
    uint128 liquidityIndex;
    uint128 currentLiquidityRate;
    uint128 variableBorrowIndex;
    uint128 currentVariableBorrowRate;
    uint128 currentStableBorrowRate;
    uint40 lastUpdateTimestamp;
    uint16 id;
    address aTokenAddress;
    address stableDebtTokenAddress;
    address variableDebtTokenAddress;
    address interestRateStrategyAddress;
    uint128 accruedToTreasury;
    uint128 unbacked;
    uint128 isolationModeTotalDebt;
}

interface IAavePool {
    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) external;
    function withdraw(address asset, uint256 amount, address to) external returns (uint256);
    function getReserveData(address asset) external view returns (AaveReserve memory);
    function getReserveNormalizedIncome(address asset) external view returns (uint256);
}

interface IAToken is IERC20 {
    function scaledBalanceOf(address account) external view returns (uint256);
    function scaledTotalSupply() external view returns (uint256);
}

/// Lends everything to one reserve of an Aave V3 pool. For development chains only.
contract AaveLendingVault is LendingVault {
    using Math for uint256;
    using SafeERC20 for IERC20;

    event LossSet(uint256 scaledLost);

    uint256 private constant RAY = 1e27;

    IAavePool public immutable pool;
    IAToken public immutable aToken;
    /// aTokens that no longer count, in the pool's scaled units: a loss, until it is made good.
    uint256 public scaledLost;

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        address governor_,
        uint256 feeBasisPoints_,
        IAavePool pool_
    ) LendingVault(asset_, name_, symbol_, governor_, feeBasisPoints_) {
        pool = pool_;
        aToken = IAToken(pool_.getReserveData(address(asset_)).aTokenAddress);
        asset_.forceApprove(address(pool_), type(uint256).max);
    }

    /// Writes off this part of the assets; 0 makes good every loss so far.
    function setLoss(uint256 basisPoints) external onlyGovernor {
        accrue();
        uint256 counted = aToken.scaledBalanceOf(address(this)) - scaledLost;
        scaledLost = basisPoints == 0 ? 0 : scaledLost + counted.mulDiv(basisPoints, BASIS_POINTS);
        lastTotalAssets = totalAssets();
        emit LossSet(scaledLost);
    }

    function _lent() internal view override returns (uint256) {
        uint256 lost = scaledLost.mulDiv(pool.getReserveNormalizedIncome(asset()), RAY, Math.Rounding.Ceil);
        return aToken.balanceOf(address(this)).saturatingSub(lost);
    }

    function liquidity() public view override returns (uint256) {
        (bool usable,,) = _reserve();
        return usable ? Math.min(totalAssets(), IERC20(asset()).balanceOf(address(aToken))) : 0;
    }

    function _room() internal view override returns (uint256) {
        (bool usable, bool frozen, AaveReserve memory reserve) = _reserve();
        if (!usable || frozen) return 0;
        uint256 wholeTokens = (reserve.configuration >> 116) & (2 ** 36 - 1);
        if (wholeTokens == 0) return type(uint256).max;
        uint256 supplied = (aToken.scaledTotalSupply() + reserve.accruedToTreasury).mulDiv(
            pool.getReserveNormalizedIncome(asset()), RAY, Math.Rounding.Ceil
        );
        return (wholeTokens * 10 ** ((reserve.configuration >> 48) & 255)).saturatingSub(supplied);
    }

    function _lend(uint256 assets) internal override {
        pool.supply(asset(), assets, address(this), 0);
    }

    function _recall(uint256 assets) internal override {
        pool.withdraw(asset(), assets, address(this));
    }

    /// Whether the reserve pays (active and not paused), whether it is frozen, and its data.
    function _reserve() private view returns (bool usable, bool frozen, AaveReserve memory reserve) {
        reserve = pool.getReserveData(asset());
        uint256 flags = reserve.configuration;
        usable = (flags >> 56) & 1 == 1 && (flags >> 60) & 1 == 0;
        frozen = (flags >> 57) & 1 == 1;
    }
}
