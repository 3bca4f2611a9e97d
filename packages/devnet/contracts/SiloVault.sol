// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CooldownVault} from "./CooldownVault.sol";

/// A vault with a cooldown that tells its escrow by `silo`, as Ethena's staked dollar does. For tests only: no
/// embedded chain lists it.
contract SiloVault is CooldownVault {
    constructor(IERC20 asset_, address governor_, uint256 cooldownDuration_)
        CooldownVault(asset_, "Silo vault", "sv", 0, governor_, cooldownDuration_)
    {}

    function silo() external view returns (address) {
        return address(escrow);
    }
}
