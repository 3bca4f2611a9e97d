// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ClaimEscrow} from "./ClaimEscrow.sol";
import {YieldVault} from "./YieldVault.sol";

/// A vault with asynchronous redemption as in ERC-7540: a holder requests it and hands its shares in,
/// the governor settles all pending requests at the price of that moment, and the controller claims.
/// Deposits are synchronous. Requests of a controller add up under the id 0. For development chains only.
contract AsyncRedeemVault is YieldVault {
    using Math for uint256;

    error NotGovernor(address account);
    error NotAuthorized(address account, address by);
    error PreviewNotSupported();
    error ExceedsClaimable(uint256 asked, uint256 claimable);

    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event OperatorSet(address indexed controller, address indexed operator, bool approved);
    event Settled(uint256 indexed epoch, uint256 shares, uint256 assets);

    struct Epoch {
        uint256 shares;
        uint256 assets;
    }

    struct Request {
        /// Shares that wait for the settlement of `epoch`.
        uint256 shares;
        uint256 epoch;
        uint256 claimableShares;
        uint256 claimableAssets;
    }

    address public immutable governor;
    ClaimEscrow public immutable escrow;
    /// The epoch that collects requests; those before it are settled.
    uint256 public currentEpoch;
    mapping(uint256 epoch => Epoch) public epochs;
    mapping(address controller => Request) private requests;
    mapping(address controller => mapping(address operator => bool)) public isOperator;

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        uint256 ratePerSecond_,
        address governor_
    ) YieldVault(asset_, name_, symbol_, ratePerSecond_, type(uint256).max) {
        governor = governor_;
        escrow = new ClaimEscrow(asset_);
    }

    /// ERC-7575: the share is the vault itself.
    function share() external view returns (address) {
        return address(this);
    }

    /// ERC-165, ERC-7540 operators and redemption, ERC-7575.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xe3bc4e65 || id == 0x620ee8e4 || id == 0x2f0a18c5;
    }

    function setOperator(address operator, bool approved) external returns (bool) {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
        return true;
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        if (owner != msg.sender && !isOperator[owner][msg.sender]) _spendAllowance(owner, msg.sender, shares);
        _collect(controller);
        _transfer(owner, address(this), shares);
        Request storage request = requests[controller];
        request.epoch = currentEpoch;
        request.shares += shares;
        epochs[currentEpoch].shares += shares;
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
        return 0;
    }

    function pendingRedeemRequest(uint256, address controller) external view returns (uint256) {
        Request storage request = requests[controller];
        return request.epoch == currentEpoch ? request.shares : 0;
    }

    function claimableRedeemRequest(uint256, address controller) public view returns (uint256 shares) {
        (shares,) = _claimable(controller);
    }

    /// Makes all pending requests claimable at the present price.
    function settle() external {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        Epoch storage epoch = epochs[currentEpoch];
        epoch.assets = _convertToAssets(epoch.shares, Math.Rounding.Floor);
        emit Settled(currentEpoch, epoch.shares, epoch.assets);
        currentEpoch++;
        if (epoch.shares > 0) _withdraw(address(this), address(escrow), address(this), epoch.assets, epoch.shares);
    }

    function maxRedeem(address controller) public view override returns (uint256 shares) {
        (shares,) = _claimable(controller);
    }

    function maxWithdraw(address controller) public view override returns (uint256 assets) {
        (, assets) = _claimable(controller);
    }

    function previewRedeem(uint256) public pure override returns (uint256) {
        revert PreviewNotSupported();
    }

    function previewWithdraw(uint256) public pure override returns (uint256) {
        revert PreviewNotSupported();
    }

    function redeem(uint256 shares, address receiver, address controller) public override returns (uint256 assets) {
        Request storage request = _claiming(controller);
        if (shares > request.claimableShares) revert ExceedsClaimable(shares, request.claimableShares);
        assets = shares == request.claimableShares
            ? request.claimableAssets
            : shares.mulDiv(request.claimableAssets, request.claimableShares);
        _claim(request, receiver, controller, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address controller) public override returns (uint256 shares) {
        Request storage request = _claiming(controller);
        if (assets > request.claimableAssets) revert ExceedsClaimable(assets, request.claimableAssets);
        shares = assets.mulDiv(request.claimableShares, request.claimableAssets, Math.Rounding.Ceil);
        _claim(request, receiver, controller, assets, shares);
    }

    function _claim(Request storage request, address receiver, address controller, uint256 assets, uint256 shares)
        private
    {
        request.claimableShares -= shares;
        request.claimableAssets -= assets;
        escrow.pay(receiver, assets);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function _claiming(address controller) private returns (Request storage) {
        if (controller != msg.sender && !isOperator[controller][msg.sender]) {
            revert NotAuthorized(controller, msg.sender);
        }
        _collect(controller);
        return requests[controller];
    }

    /// Moves shares of a settled epoch from pending to claimable.
    function _collect(address controller) private {
        Request storage request = requests[controller];
        (request.claimableShares, request.claimableAssets) = _claimable(controller);
        if (request.epoch < currentEpoch) request.shares = 0;
    }

    function _claimable(address controller) private view returns (uint256 shares, uint256 assets) {
        Request storage request = requests[controller];
        (shares, assets) = (request.claimableShares, request.claimableAssets);
        if (request.shares > 0 && request.epoch < currentEpoch) {
            Epoch storage epoch = epochs[request.epoch];
            shares += request.shares;
            assets += request.shares.mulDiv(epoch.assets, epoch.shares);
        }
    }
}
