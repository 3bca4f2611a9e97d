// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// USDT as it behaves on Ethereum, where it differs from ERC-20 and so breaks careless callers:
/// transfer, transferFrom and approve return nothing, and approve refuses to change one non-zero
/// allowance into another (set it to zero first). An unlimited allowance is not used up.
contract DevTether {
    error NotMinter(address account);
    error NotOwner(address account);

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public immutable owner;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isMinter;

    constructor() {
        owner = msg.sender;
        isMinter[msg.sender] = true;
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            require(allowed >= value, "USDT: allowance too low");
            allowance[from][msg.sender] = allowed - value;
        }
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "USDT: set the allowance to zero first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function setMinter(address account, bool allowed) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        isMinter[account] = allowed;
    }

    function mint(address to, uint256 value) external {
        if (!isMinter[msg.sender]) revert NotMinter(msg.sender);
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "USDT: transfer to the zero address");
        require(balanceOf[from] >= value, "USDT: balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
