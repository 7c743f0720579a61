/**
 * The Jenkinsfile of the examples, read and carried out by Groovy itself: each call is written down, and the shell
 * steps are run as Jenkins starts them. The plugins are stand-ins that call what they are given.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cached } from "../../providers/real/cached.ts";
import { run } from "../../providers/real/command.ts";
import { inPath } from "../../providers/real/debian-program.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, openChangedWorld } from "../behaviour/changed-world.ts";
import { ROOT } from "../dev/bundle.ts";

const jenkins = suite("the Jenkinsfile, carried out by Groovy");

const GROOVY = "groovy-5.0.8";
const FETCH = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/** Every call is a line, as deep as it is called. What fails ends its stage, and `post` is carried out all the same. */
const PIPELINE = `
import org.codehaus.groovy.control.CompilerConfiguration

abstract class Pipeline extends Script {
  static int depth = 0
  static Map<String, String> given = [:]
  static Throwable failed = null
  static File calls = new File(System.getenv('CALLS'))

  def methodMissing(String name, args) {
    def said = args.findAll { !(it instanceof Closure) }
    calls << '  ' * depth + ([name] + (name == 'sh' ? [] : said)).join(' ') + '\\n'
    if (failed && name != 'post' && depth == 1) return null
    if (name == 'sh') return carryOut(said[0])
    if (name == 'file' && said[0] instanceof Map) return said[0]
    if (name == 'withCredentials') said[0].each { given[it.variable] = System.getenv('SECRET_FILE') }
    depth++
    try {
      args.findAll { it instanceof Closure }.each { it() }
    } catch (Throwable error) {
      if (name != 'stages') throw error
      failed = error
    } finally {
      depth--
      if (name == 'withCredentials') given.clear()
    }
    return "$name\${said}"
  }

  void carryOut(String script) {
    def builder = new ProcessBuilder(['sh', '-xe', '-c', script]).inheritIO()
    builder.environment().putAll(given + [CONNECTOR: params.CONNECTOR, NO_COLOR: binding.getVariable('NO_COLOR')])
    def exit = builder.start().waitFor()
    if (exit != 0) throw new RuntimeException("script returned exit code $exit")
  }
}

def binding = new Binding([params: [CONNECTOR: System.getenv('PARAMETER')]])
def shell = new GroovyShell(this.class.classLoader, binding, new CompilerConfiguration(scriptBaseClass: 'Pipeline'))
shell.evaluate(new File(args[0]))
if (Pipeline.failed) {
  System.err.println(Pipeline.failed)
  System.exit(1)
}
`;

interface Built {
  readonly exit: number;
  readonly output: string;
  readonly calls: string;
}

interface Build {
  readonly world: ChangedWorld;
  readonly folder: string;
  build(parameter?: string): Promise<Built>;
}

async function inBuild(act: (build: Build) => Promise<void>): Promise<void> {
  const lib = await cached(GROOVY, async (draft) => {
    await run("mvn", ["-B", "-q", FETCH, "-Dartifact=org.apache.groovy:groovy:5.0.8", `-DoutputDirectory=${draft}`]);
  });
  const world = await openChangedWorld();
  try {
    const [folder, bin] = [join(world.dir, "job"), join(world.dir, "bin")];
    await mkdir(join(folder, "changes", CONNECTOR), { recursive: true });
    await mkdir(bin);
    const program = join(ROOT, "dist/cdcctl.js");
    await writeFile(join(bin, "cdcctl"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    await chmod(join(bin, "cdcctl"), 0o755);
    await writeFile(join(folder, "changes", CONNECTOR, "replay.yaml"), await readFile(world.plan, "utf8"));
    await writeFile(join(world.dir, "pipeline.groovy"), PIPELINE);
    const { CDCCTL_CONTEXTS: contexts, ...env } = world.env;
    const build = async (parameter = CONNECTOR): Promise<Built> => {
      const calls = join(world.dir, "calls");
      await writeFile(calls, "");
      const words = ["-cp", join(lib, `${GROOVY}.jar`), "groovy.ui.GroovyMain", join(world.dir, "pipeline.groovy")];
      const PATH = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
      const own = { ...env, PATH, CI: "true", CALLS: calls, SECRET_FILE: contexts, PARAMETER: parameter };
      return await new Promise((resolve) => {
        const options = { cwd: folder, env: own, maxBuffer: 1e8 };
        execFile("java", [...words, join(ROOT, "examples/jenkins/Jenkinsfile")], options, async (error, out, err) => {
          const exit = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          resolve({ exit, output: `${out}${err}`, calls: await readFile(calls, "utf8") });
        });
      });
    };
    await act({ world, folder, build });
  } finally {
    await world.close();
  }
}

/** What a declarative pipeline is made of, in its order: https://www.jenkins.io/doc/book/pipeline/syntax/. */
const STRUCTURE = `pipeline
  agent
    label cdc-production
  parameters
    string [name:CONNECTOR, defaultValue:orders-cdc, description:Its plan files are changes/CONNECTOR/*.yaml]
  options
    timeout [time:1, unit:DAYS]
  environment
  stages
    stage Validate
      steps
        sh
    stage Plan
      steps
        file [credentialsId:cdcctl-contexts, variable:CDCCTL_CONTEXTS]
        withCredentials [[credentialsId:cdcctl-contexts, variable:CDCCTL_CONTEXTS]]
          sh
    stage Approve
      steps
        input [message:Apply the plan that is attached to this build?, submitterParameter:APPROVED_BY]
        milestone 1
    stage Apply
      steps
        lock [resource:cdcctl-orders-cdc]
          file [credentialsId:cdcctl-contexts, variable:CDCCTL_CONTEXTS]
          withCredentials [[credentialsId:cdcctl-contexts, variable:CDCCTL_CONTEXTS]]
            sh
`;
const AFTERWARDS = `  post
    always
      sarif [pattern:reports/*.sarif]
      recordIssues [tool:sarif[[pattern:reports/*.sarif]]]
      junit [testResults:reports/*.xml, allowEmptyResults:true]
      archiveArtifacts [artifacts:reports/plan.html, reports/plan.json, reports/approval, allowEmptyArchive:true]
`;

const missing = ["java", "mvn"].filter((name) => inPath([name]) === undefined);
if (missing.length > 0) process.stdout.write(`NOT RUN  the Jenkinsfile: ${missing.join(", ")} not found on PATH\n`);
else {
  jenkins("a change is planned, approved and applied as it was approved, in a lock of its connector", () =>
    inBuild(async ({ world, folder, build }) => {
      const { exit, output, calls } = await build();
      assert.is(exit, 0, output);
      assert.is(calls, STRUCTURE + AFTERWARDS);
      const reports = ["approval", "facts.json", "plan.html", "plan.json", "plan.sarif", "plan.xml", "validate.sarif"];
      assert.equal((await readdir(join(folder, "reports"))).sort(), reports);
      const outcomes = (await world.opsEvents()).map(({ details }) => details.outcome);
      assert.equal(outcomes, ["applying", "applied"]);
    }),
  );

  jenkins("a file that is not valid ends the build before anything is asked; its findings are recorded", () =>
    inBuild(async ({ world, folder, build }) => {
      await writeFile(join(folder, "changes", CONNECTOR, "wrong.yaml"), "kind: Nothing\n");
      const { exit, output, calls } = await build();
      assert.is(exit, 1, output);
      assert.not.match(calls, "stage Plan");
      assert.ok(calls.endsWith(AFTERWARDS), calls);
      assert.match(await readFile(join(folder, "reports/validate.sarif"), "utf8"), /"level": "error"/);
      assert.equal(await world.opsEvents(), []);
    }),
  );

  jenkins("a connector's name that is a command runs nothing", () =>
    inBuild(async ({ folder, build }) => {
      for (const name of ["$(touch pwned)", "../.."]) {
        const { exit, output } = await build(name);
        assert.is(exit, 1, output);
      }
      assert.not.ok((await readdir(folder)).includes("pwned"));
    }),
  );
}

jenkins.run();
