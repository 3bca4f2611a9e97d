// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// The price of a token in US dollars behind Chainlink's AggregatorV3 interface. The governor sets it,
/// and every reading is of this second. For development chains only.
contract DevPriceFeed {
    error NotGovernor(address account);
    error NoPrice();

    event PriceSet(int256 price);

    uint8 public constant decimals = 8;
    uint256 public constant version = 1;

    address public immutable governor;
    string public description;
    uint80 private round = 1;
    int256 private answer = 1e8;

    constructor(string memory description_, address governor_) {
        description = description_;
        governor = governor_;
    }

    function setPrice(int256 price) external {
        if (msg.sender != governor) revert NotGovernor(msg.sender);
        if (price <= 0) revert NoPrice();
        answer = price;
        round += 1;
        emit PriceSet(price);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 price, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return (round, answer, block.timestamp, block.timestamp, round);
    }
}
