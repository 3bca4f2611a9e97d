// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A vault whose curator waits before it can add risk. For tests only: no embedded chain lists it.
contract CuratedVault is ERC20, ERC4626 {
    /// Whether each function has its own delay.
    bool private immutable _perFunction;
    /// The functions that the curator gave up for good. Their delays stay as they are, as in Morpho's Vault V2.
    mapping(bytes4 selector => bool) public abdicated;

    constructor(IERC20 asset_, bool perFunction) ERC20("Curated vault", "cv") ERC4626(asset_) {
        _perFunction = perFunction;
    }

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }

    function abdicate(bytes4 selector) external {
        abdicated[selector] = true;
    }

    function timelock() external view returns (uint256) {
        require(!_perFunction);
        return 3 days;
    }

    function timelock(bytes4 selector) external view returns (uint256) {
        require(_perFunction);
        if (selector == bytes4(keccak256("increaseAbsoluteCap(bytes,uint256)"))) return 7 days;
        if (selector == bytes4(keccak256("increaseRelativeCap(bytes,uint256)"))) return 2 days;
        if (selector == bytes4(keccak256("addAdapter(address)"))) return 14 days;
        return 0;
    }
}
