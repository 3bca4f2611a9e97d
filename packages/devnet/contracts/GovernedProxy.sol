// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

/// A proxy as in ERC-1967 whose code the governor replaces at once. For development chains only.
contract GovernedProxy is ERC1967Proxy {
    error NotGovernor(address account);

    address public immutable proxyGovernor;

    constructor(address implementation, bytes memory data, address governor_) ERC1967Proxy(implementation, data) {
        proxyGovernor = governor_;
    }

    function upgradeTo(address implementation) external {
        if (msg.sender != proxyGovernor) revert NotGovernor(msg.sender);
        ERC1967Utils.upgradeToAndCall(implementation, "");
    }

    receive() external payable {}
}
