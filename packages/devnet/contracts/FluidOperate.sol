// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {FluidStorage} from "./FluidStorage.sol";

/// The code that moves users' money, which the layer runs on its own storage. For development chains only.
contract FluidOperate is FluidStorage {
    using Math for uint256;
    using SafeERC20 for IERC20;

    error BorrowingNotSupported();

    uint256 private constant USER_NOT_DEFINED = 11001;
    uint256 private constant USER_PAUSED = 11002;
    uint256 private constant WITHDRAWAL_LIMIT_REACHED = 11003;

    constructor(uint256 fullRatePerSecond_) FluidStorage(fullRatePerSecond_) {}

    /// Supplies a positive amount, whose tokens the user has transferred before, and withdraws a negative one.
    /// Returns the prices of supply and debt; users do not borrow here, so there is no second one.
    function operate(address token, int256 supplyAmount, int256 borrowAmount, address to, address, bytes calldata)
        external
        returns (uint256, uint256)
    {
        if (borrowAmount != 0) revert BorrowingNotSupported();
        _accrue(token);
        uint256 price = supplyPrice(token);
        if (supplyAmount > 0) _supply(token, uint256(supplyAmount), price);
        else _withdraw(token, uint256(-supplyAmount), price, to);
        return (price, 0);
    }

    function _supply(address token, uint256 amount, uint256 price) private {
        (uint256 word, uint256 limit) = _usable(token);
        uint256 raw = amount.mulDiv(PRICE_SCALE, price);
        supplied[token] += raw;
        uint256 held = rawOf[token][msg.sender] += raw;
        _store(msg.sender, token, held, _limitAfter(word, held, limit));
    }

    function _withdraw(address token, uint256 amount, uint256 price, address to) private {
        (uint256 word, uint256 limit) = _usable(token);
        uint256 raw = amount.mulDiv(PRICE_SCALE, price, Math.Rounding.Ceil);
        uint256 held = rawOf[token][msg.sender] -= raw;
        if (held < limit) revert FluidLiquidityError(WITHDRAWAL_LIMIT_REACHED);
        supplied[token] -= raw;
        _store(msg.sender, token, held, _limitAfter(word, held, limit));
        IERC20(token).safeTransfer(to, amount);
    }

    function _usable(address token) private view returns (uint256 word, uint256 limit) {
        word = supplyOf[msg.sender][token];
        if (word == 0) revert FluidLiquidityError(USER_NOT_DEFINED);
        if (word & PAUSED != 0) revert FluidLiquidityError(USER_PAUSED);
        limit = _limitBefore(word, rawOf[token][msg.sender]);
    }
}
