// Runs services of a compose file without an engine: each in a root file system of its own (the machine's, overlaid),
// with the networks, users, capabilities, volumes and settings that the file says. The programs are the machine's.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly string[]
  readonly networks?: readonly string[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test?: readonly string[] }
}
export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<string, { readonly ipam?: { readonly config: readonly { readonly subnet: string }[] } }>
  >
}
/** What the image of a service would bring. */
export interface Image {
  readonly entrypoint: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly workdir?: string
  readonly user?: string
  readonly mounts?: Readonly<Record<string, string>>
  readonly healthcheck?: readonly string[]
  /** A script that runs as root in the container before it, as some images' entrypoints do. */
  readonly prepare?: string
}
export interface Container {
  readonly child: ChildProcess
  readonly log: () => string
  /** What a command prints that runs inside, as `docker compose exec` does. */
  exec(command: readonly string[]): string
  isHealthy(): boolean
  /** Its exit code. */
  stop(): Promise<number | null>
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })
const spaces = process.pid.toString(36)

/** Networks of a compose file, each a bridge in a space that reaches no other. */
export class Networks {
  readonly #compose: Compose
  readonly #hosts: string[] = []
  readonly #switch = `weir-${spaces}`

  constructor(compose: Compose) {
    this.#compose = compose
    ip('netns', 'add', this.#switch)
    for (const [index] of Object.keys(compose.networks).entries()) {
      ip('-n', this.#switch, 'link', 'add', `b${index}`, 'type', 'bridge')
      ip('-n', this.#switch, 'link', 'set', `b${index}`, 'up')
    }
  }

  /** The address of a host on a network. */
  address(host: string, network: string): string {
    const index = Object.keys(this.#compose.networks).indexOf(network)
    const subnet = this.#compose.networks[network]?.ipam?.config[0]?.subnet ?? `172.30.${100 + index}.0/24`
    return subnet.replace(/\.0\/24$/, `.${10 + this.#hosts.indexOf(host)}`)
  }

  /** Adds a host to networks; the name of its space. */
  join(host: string, networks: readonly string[]): string {
    this.#hosts.push(host)
    const space = `${this.#switch}-${host}`
    ip('netns', 'add', space)
    ip('-n', space, 'link', 'set', 'lo', 'up')
    for (const network of networks) {
      const index = Object.keys(this.#compose.networks).indexOf(network)
      const port = `p${this.#hosts.length}n${index}`
      ip('-n', space, 'link', 'add', `e${index}`, 'type', 'veth', 'peer', 'name', port, 'netns', this.#switch)
      ip('-n', this.#switch, 'link', 'set', port, 'master', `b${index}`, 'up')
      ip('-n', space, 'address', 'add', `${this.address(host, network)}/24`, 'dev', `e${index}`)
      ip('-n', space, 'link', 'set', `e${index}`, 'up')
    }
    return space
  }

  remove(): void {
    for (const host of this.#hosts) spawnSync('ip', ['netns', 'delete', `${this.#switch}-${host}`])
    spawnSync('ip', ['netns', 'delete', this.#switch])
  }
}

/** Starts a container in its space of the network. `names` is its /etc/hosts. */
export function startContainer(
  input: { readonly name: string; readonly service: Service; readonly image: Image },
  place: { readonly work: string; readonly folder: string; readonly space: string; readonly names: string },
): Container {
  const { name, service, image } = input
  const own = join(place.work, name)
  mkdirSync(own)
  writeFileSync(join(own, 'hosts'), `127.0.0.1 localhost\n${place.names}\n`)
  const mounts: Record<string, string> = { '/etc/hosts': join(own, 'hosts'), '/proc': '/proc', '/dev': '/dev' }
  Object.assign(mounts, image.mounts)
  for (const volume of service.volumes ?? []) {
    const [from = '', to = ''] = volume.split(':')
    const source = from.startsWith('.') ? resolve(place.folder, from) : join(place.work, 'volumes', from)
    if (!existsSync(source)) mkdirSync(source, { recursive: true })
    mounts[to] = source
  }
  const settings = (service.env_file ?? []).flatMap((file) =>
    [...readFileSync(join(place.work, file), 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  )
  const environment = { ...image.environment, ...Object.fromEntries(settings), ...service.environment }
  const run = ['setpriv', ...privileges(service, image), 'env', '-i', ...pairs(environment), 'sh', '-c']
  const inside = [...run, `cd ${image.workdir ?? '/'} && exec "$@"`, 'sh']
  const root = join(own, 'view', 'root')
  const script = [
    'set -e',
    `mkdir ${own}/view && mount -t tmpfs tmpfs ${own}/view && mkdir ${own}/view/up ${own}/view/work ${root}`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${own}/view/up,workdir=${own}/view/work ${root}`,
    ...Object.entries(mounts).flatMap(([to, from]) => mountTo(join(root, to), from)),
    ...(service.tmpfs ?? []).map((to) => `mount -t tmpfs -o mode=1777 tmpfs ${join(root, to)}`),
    ...(image.prepare ? [`chroot ${root} env -i "$@" sh -c '${image.prepare}' >&2`] : []),
    ...(service.read_only ? [`mount -o remount,ro ${root}`] : []),
    `exec chroot ${root} ${[...inside, ...image.entrypoint, ...(service.command ?? image.command ?? [])].map(quoted).join(' ')}`,
  ]
  writeFileSync(join(own, 'start.sh'), script.join('\n'), { mode: 0o700 })
  const args = ['netns', 'exec', place.space, 'unshare', '--mount', '--propagation', 'private']
  const child = spawn('ip', [...args, 'bash', join(own, 'start.sh'), ...pairs(environment)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const enter = ['-t', String(child.pid), '--mount', '--net', '--root', '--', ...inside]
  const test = service.healthcheck?.test?.slice(1) ?? image.healthcheck
  return {
    child,
    log: () => log,
    exec: (command) => execFileSync('nsenter', [...enter, ...command], { cwd: '/', encoding: 'utf8', timeout: 60_000 }),
    isHealthy: () =>
      spawnSync('nsenter', [...enter, ...(test ?? ['true'])], { cwd: '/', timeout: 10_000 }).status === 0,
    stop: async () => {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

function privileges(service: Service, image: Image): string[] {
  const user = service.user ?? image.user
  const [uid = '0', gid = uid] = user?.split(':') ?? []
  const drop = service.cap_drop?.includes('ALL') ? ['-all'] : []
  const bounds = [...drop, ...(service.cap_add ?? []).map((one) => `+${one.toLowerCase()}`)].join(',')
  return [
    ...(user ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []),
    ...(bounds ? [`--bounding-set=${bounds}`, '--inh-caps=-all'] : []),
    ...(service.security_opt?.includes('no-new-privileges:true') ? ['--no-new-privs'] : []),
  ]
}

function mountTo(to: string, from: string): string[] {
  const made = statSync(from).isDirectory() ? [`mkdir -p ${to}`] : [`mkdir -p ${dirname(to)}`, `touch ${to}`]
  return [...made, `mount --${from === '/dev' ? 'r' : ''}bind ${from} ${to}`]
}

const pairs = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment).map(([key, value]) => `${key}=${value}`)
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/** What a trial starts; all of it ends and goes with the trial. */
export class Trial {
  readonly running = new Map<string, Container>()
  readonly others: ChildProcess[] = []
  readonly #networks: Networks
  readonly #work: string

  constructor(networks: Networks, work: string) {
    this.#networks = networks
    this.#work = work
  }

  /** Shows the containers' logs if the trial fails. */
  async run(trial: () => Promise<void>): Promise<void> {
    try {
      await trial()
    } catch (error) {
      for (const [name, container] of this.running) console.error(`--- ${name}\n${container.log().slice(-1_500)}`)
      throw error
    } finally {
      for (const { child } of this.running.values()) child.kill('SIGKILL')
      for (const child of this.others) child.kill('SIGKILL')
      this.#networks.remove()
      rmSync(this.#work, { recursive: true, force: true })
    }
  }

  /** Waits for a container's own end, which must be a good one. */
  async ended(name: string): Promise<void> {
    const container = this.running.get(name)!
    await eventually(`${name} ends`, () => container.child.exitCode !== null)
    assert.equal(container.child.exitCode, 0, `${name}: ${container.log()}`)
    this.running.delete(name)
  }
}

/** Waits two minutes at most. What asserts fails at once; another error is a no. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    try {
      if (holds()) return
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
    await pause(500)
  }
  throw new Error(`not within two minutes: ${what}`)
}
