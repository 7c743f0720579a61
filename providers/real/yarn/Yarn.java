package cdcctl.yarn;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A YARN cluster of one node, on the local file system. Once it is up, the given folder has its {@code yarn-site.xml}. Containers
 * run below the working folder, where their files stay.
 */
public final class Yarn {
    private Yarn() { }

    public static void main(String[] args) throws Exception {
        YarnConfiguration settings = new YarnConfiguration();
        settings.set("fs.defaultFS", "file:///");
        settings.set("yarn.scheduler.capacity.root.queues", "default");
        settings.set("yarn.scheduler.capacity.root.default.capacity", "100");
        settings.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
        settings.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        settings.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
        settings.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 3600);
        MiniYARNCluster cluster = new MiniYARNCluster("yarn", 1, 1, 1);
        cluster.init(settings);
        cluster.start();
        Path draft = Path.of(args[0], "draft.xml");
        try (OutputStream out = Files.newOutputStream(draft)) {
            cluster.getConfig().writeXml(out);
        }
        Files.move(draft, Path.of(args[0], "yarn-site.xml"), StandardCopyOption.ATOMIC_MOVE);
    }
}
