// Prints a CycloneDX list of everything that the service and the agent run with: npm run -s sbom > sbom.json
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const { name } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { name: string }

interface Component {
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

// Not `--omit dev`: npm then also drops packages that one workspace runs with and another only develops with.
const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: repository,
  encoding: 'utf8',
  maxBuffer: 64 * 1_048_576,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const document = JSON.parse(text) as {
  metadata: { component: { name: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { readonly version?: string; readonly dev?: boolean }>
}
const running = new Set(
  Object.entries(packages).flatMap(([path, { version, dev }]) =>
    dev ? [] : [`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`],
  ),
)
// npm lists a version once, and marks it as a tool if one of its places is that of a tool.
const isTool = ({ group, name, version, properties = [] }: Component) =>
  properties.some(({ name: property, value }) => property === 'cdx:npm:package:development' && value === 'true') &&
  !running.has(`${group ? `${group}/` : ''}${name}@${version}`)
const tools = new Set(document.components.filter(isTool).map((component) => component['bom-ref']))
const isUsed = (ref: string) => !tools.has(ref)
document.components = document.components.filter((component) => !isTool(component))
document.dependencies = document.dependencies
  .filter(({ ref }) => isUsed(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isUsed) }))
// npm names the product after its folder.
document.metadata.component.name = name
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
