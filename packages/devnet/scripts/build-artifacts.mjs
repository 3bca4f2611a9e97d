// Rebuilds packages/devnet/artifacts from their sources: Aave V3 core's published artifacts, reduced to
// what a deployment needs, and our own contracts, compiled against OpenZeppelin. The sources are installed
// in a temporary folder, so neither they nor the compiler are dependencies of this repository.
// Usage: node packages/devnet/scripts/build-artifacts.mjs
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOURCES = ['@aave/core-v3@1.19.3', '@openzeppelin/contracts@5.7.0', 'solc@0.8.37']

const AAVE_CONTRACTS = [
  'mocks/oracle/CLAggregators/MockAggregator',
  'misc/AaveOracle',
  'misc/AaveProtocolDataProvider',
  'protocol/configuration/ACLManager',
  'protocol/configuration/PoolAddressesProvider',
  'protocol/libraries/logic/BorrowLogic',
  'protocol/libraries/logic/BridgeLogic',
  'protocol/libraries/logic/ConfiguratorLogic',
  'protocol/libraries/logic/EModeLogic',
  'protocol/libraries/logic/FlashLoanLogic',
  'protocol/libraries/logic/LiquidationLogic',
  'protocol/libraries/logic/PoolLogic',
  'protocol/libraries/logic/SupplyLogic',
  'protocol/pool/DefaultReserveInterestRateStrategy',
  'protocol/pool/Pool',
  'protocol/pool/PoolConfigurator',
  'protocol/tokenization/AToken',
  'protocol/tokenization/StableDebtToken',
  'protocol/tokenization/VariableDebtToken',
]

const root = join(import.meta.dirname, '..')
const artifacts = join(root, 'artifacts')
const temporary = mkdtempSync(join(tmpdir(), 'weir-artifacts-'))

try {
  writeFileSync(join(temporary, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...SOURCES], {
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const folder of ['aave-v3', 'weir']) {
    for (const file of readdirSync(ensured(join(artifacts, folder)))) {
      if (file.endsWith('.json')) rmSync(join(artifacts, folder, file))
    }
  }
  extractAave()
  compileOwn()
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function extractAave() {
  const source = join(temporary, 'node_modules/@aave/core-v3')
  for (const path of AAVE_CONTRACTS) {
    const name = path.split('/').at(-1)
    const { abi, bytecode, linkReferences } = JSON.parse(
      readFileSync(join(source, 'artifacts/contracts', `${path}.sol`, `${name}.json`), 'utf8'),
    )
    write('aave-v3', name, { abi, bytecode, linkReferences })
  }
  cpSync(join(source, 'LICENSE.md'), join(artifacts, 'aave-v3/LICENSE.md'))
}

function compileOwn() {
  const solc = createRequire(join(temporary, 'package.json'))('solc')
  const folder = join(root, 'contracts')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(folder, file), 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.linkReferences', 'evm.deployedBytecode.object'] },
      },
    },
  }
  const library = (path) => ({ contents: readFileSync(join(temporary, 'node_modules', path), 'utf8') })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: library }))
  // A library's function that one of our contracts makes unreachable is a warning in the library.
  const isOurs = (problem) => problem.severity === 'error' || !problem.sourceLocation?.file.startsWith('@')
  const problems = (output.errors ?? []).filter((problem) => problem.severity !== 'info' && isOurs(problem))
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'))
  for (const file of files) {
    const name = file.replace('.sol', '')
    const { abi, evm } = output.contracts[file][name]
    // Abstract contracts and interfaces are not deployed.
    if (evm.bytecode.object === '') continue
    write('weir', name, {
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      linkReferences: evm.bytecode.linkReferences,
      // Only Multicall3 is installed as runtime code; the others run their constructors.
      ...(name === 'Multicall3' ? { deployedBytecode: `0x${evm.deployedBytecode.object}` } : {}),
    })
  }
}

function write(folder, name, artifact) {
  writeFileSync(join(artifacts, folder, `${name}.json`), `${JSON.stringify(artifact)}\n`)
}

function ensured(folder) {
  mkdirSync(folder, { recursive: true })
  return folder
}
