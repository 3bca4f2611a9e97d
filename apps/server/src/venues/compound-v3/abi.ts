import { parseAbi } from 'viem'

/** The parts of Compound's Comet that a lender of the base token uses, and those of its extension. */
export const cometAbi = parseAbi([
  'event Supply(address indexed from, address indexed dst, uint256 amount)',
  'event Withdraw(address indexed src, address indexed to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'struct TotalsBasic { uint64 baseSupplyIndex; uint64 baseBorrowIndex; uint64 trackingSupplyIndex; uint64 trackingBorrowIndex; uint104 totalSupplyBase; uint104 totalBorrowBase; uint40 lastAccrualTime; uint8 pauseFlags; }',
  'function baseToken() view returns (address)',
  'function totalsBasic() view returns (TotalsBasic)',
  'function baseTrackingSupplySpeed() view returns (uint256)',
  'function baseMinForRewards() view returns (uint256)',
  'function trackingIndexScale() view returns (uint256)',
  'function userBasic(address account) view returns (int104 principal, uint64 baseTrackingIndex, uint64 baseTrackingAccrued, uint16 assetsIn, uint8 reserved)',
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256 utilization) view returns (uint64)',
  'function totalSupply() view returns (uint256)',
  'function isSupplyPaused() view returns (bool)',
  'function isWithdrawPaused() view returns (bool)',
  'function isBaseSupplyPaused() view returns (bool)',
  'function isLendersWithdrawPaused() view returns (bool)',
  'function supply(address asset, uint256 amount)',
  'function withdraw(address asset, uint256 amount)',
])
