// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {FluidOperate} from "./FluidOperate.sol";
import {FluidStorage} from "./FluidStorage.sol";

/// Holds the money of a lending token, as Fluid's Liquidity contract does for its fTokens, and keeps what
/// lenders read of it where that contract keeps it: `readFromStorage` returns the same words. What a user
/// may withdraw is limited: the limit is the supply that must stay, and falls with time to a fixed part of
/// it. Borrowers need no collateral, because their keys are public.
///
/// Like that contract it is a proxy that looks the code of a function up by its selector; what the slot of
/// ERC-1967 names never runs. Only `operate` is there, in two codes that behave alike. For development chains
/// only.
contract FluidLayer is FluidStorage {
    using Math for uint256;
    using SafeERC20 for IERC20;

    error NotGovernor(address account);
    error FluidInfiniteProxyError(uint256 errorId_);

    uint256 private constant IMPLEMENTATION_NOT_EXIST = 50001;
    /// The slot of ERC-1967 for implementations, and the same with four bytes for a selector.
    bytes32 private constant DUMMY_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant SELECTOR_SLOT = 0x000000003ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    address public immutable governor;
    /// The first borrower, which made the layer.
    address public immutable founder;
    /// The code of `operate` at first, and the one of an upgrade.
    address public immutable firstOperate;
    address public immutable otherOperate;
    mapping(address implementation => bytes4[]) private selectorsOf;

    constructor(uint256 fullRatePerSecond_, address governor_) FluidStorage(fullRatePerSecond_) {
        (governor, founder) = (governor_, msg.sender);
        (firstOperate, otherOperate) =
            (address(new FluidOperate(fullRatePerSecond_)), address(new FluidOperate(fullRatePerSecond_)));
        _run(firstOperate);
        _write(DUMMY_SLOT, address(this));
    }

    modifier onlyOwners() {
        if (msg.sender != governor && msg.sender != founder) revert NotGovernor(msg.sender);
        _;
    }

    modifier onlyAdmin() {
        require(msg.sender == governor, "only-admin");
        _;
    }

    // ---- The proxy ----

    fallback() external payable {
        address implementation = getSigsImplementation(msg.sig);
        if (implementation == address(0)) revert FluidInfiniteProxyError(IMPLEMENTATION_NOT_EXIST);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    receive() external payable {}

    function getAdmin() external view returns (address) {
        return governor;
    }

    function getDummyImplementation() external view returns (address) {
        return _read(DUMMY_SLOT);
    }

    /// Zero: nothing runs for that selector.
    function getSigsImplementation(bytes4 selector) public view returns (address) {
        return _read(SELECTOR_SLOT | selector);
    }

    function getImplementationSigs(address implementation) external view returns (bytes4[] memory) {
        return selectorsOf[implementation];
    }

    function addImplementation(address implementation, bytes4[] calldata selectors) external onlyAdmin {
        _add(implementation, selectors);
    }

    function removeImplementation(address implementation) external onlyAdmin {
        _remove(implementation);
    }

    /// Replaces the code of `operate` by the other one, or that by the first, with no block in between.
    function setUpgraded(bool upgraded) external onlyAdmin {
        _remove(getSigsImplementation(FluidOperate.operate.selector));
        _run(upgraded ? otherOperate : firstOperate);
    }

    function _run(address implementation) private {
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = FluidOperate.operate.selector;
        _add(implementation, selectors);
    }

    function _remove(address implementation) private {
        bytes4[] memory selectors = selectorsOf[implementation];
        require(selectors.length != 0, "implementation-not-exist");
        for (uint256 i; i < selectors.length; i++) _write(SELECTOR_SLOT | selectors[i], address(0));
        delete selectorsOf[implementation];
    }

    function _add(address implementation, bytes4[] memory selectors) private {
        require(selectorsOf[implementation].length == 0, "implementation-already-exist");
        for (uint256 i; i < selectors.length; i++) {
            require(getSigsImplementation(selectors[i]) == address(0), "sig-already-exist");
            _write(SELECTOR_SLOT | selectors[i], implementation);
        }
        selectorsOf[implementation] = selectors;
    }

    function _read(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _write(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }

    // ---- What Fluid's governance does ----

    /// Lets a user supply. Below `baseLimit` it may withdraw everything; above, `expandPercent` (1e4 = all) of
    /// its supply, once `expandDuration` seconds have passed since the last withdrawal.
    function defineUser(address user, address token, uint256 expandPercent, uint256 expandDuration, uint256 baseLimit)
        external
        onlyOwners
    {
        if (pricesAndConfig[token] == 0) pricesAndConfig[token] = _priceWord(PRICE_SCALE);
        supplyOf[user][token] = 1 | expandPercent << EXPAND_PERCENT | expandDuration << EXPAND_DURATION
            | _packed(baseLimit, 10) << BASE_LIMIT;
    }

    function setPaused(address user, address token, bool paused) external onlyOwners {
        uint256 word = supplyOf[user][token];
        supplyOf[user][token] = paused ? word | PAUSED : word & ~PAUSED;
    }

    /// Moves the limit so that the user can withdraw about `amount` now: at most what time will allow.
    function setWithdrawable(address user, address token, uint256 amount) external onlyOwners {
        uint256 held = rawOf[token][user];
        uint256 limit = held.saturatingSub(amount.mulDiv(PRICE_SCALE, supplyPrice(token)));
        _store(user, token, held, _limitAfter(supplyOf[user][token], held, limit));
    }

    function borrow(address token, uint256 amount) external onlyOwners {
        _accrue(token);
        borrowed[token] += amount;
        principalOf[token][msg.sender] += amount;
        IERC20(token).safeTransfer(msg.sender, amount);
    }

    /// Takes at most what the caller borrowed.
    function repay(address token, uint256 amount) external {
        _accrue(token);
        amount = Math.min(amount, principalOf[token][msg.sender]);
        principalOf[token][msg.sender] -= amount;
        borrowed[token] -= amount;
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
    }

    // ---- What everybody reads ----

    function readFromStorage(bytes32 slot) external view returns (uint256 word) {
        assembly {
            word := sload(slot)
        }
    }

    function suppliedBy(address user, address token) external view returns (uint256) {
        return rawOf[token][user].mulDiv(supplyPrice(token), PRICE_SCALE);
    }

    /// What the limit and the tokens that are there let a user withdraw. A pause does not show in it.
    function withdrawableBy(address user, address token) external view returns (uint256) {
        uint256 price = supplyPrice(token);
        uint256 held = rawOf[token][user];
        uint256 limit = _limitBefore(supplyOf[user][token], held).mulDiv(price, PRICE_SCALE);
        return Math.min(held.mulDiv(price, PRICE_SCALE).saturatingSub(limit), IERC20(token).balanceOf(address(this)));
    }

    function isPaused(address user, address token) external view returns (bool) {
        return supplyOf[user][token] & PAUSED != 0;
    }
}
