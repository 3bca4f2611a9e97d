// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A plain ERC-20 of the development chains (USDC, WETH). Its owner mints, and names who else may,
/// so that a vault can pay its own yield.
contract DevToken is ERC20 {
    error NotMinter(address account);
    error NotOwner(address account);

    address public immutable owner;
    mapping(address => bool) public isMinter;
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        owner = msg.sender;
        isMinter[msg.sender] = true;
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function setMinter(address account, bool allowed) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        isMinter[account] = allowed;
    }

    function mint(address to, uint256 value) external {
        if (!isMinter[msg.sender]) revert NotMinter(msg.sender);
        _mint(to, value);
    }
}
