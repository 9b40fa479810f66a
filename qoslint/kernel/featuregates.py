"""The history of Kubernetes' feature gates, as far as a pod's resources are concerned.

Mirrors `pkg/features/kube_features.go` of v1.31 to v1.37: the versions and the dependencies.
"""

from __future__ import annotations

from typing import NamedTuple


class Stage(NamedTuple):
    """What a gate is from one minor version on."""

    since: int
    maturity: str
    default: bool
    locked: bool = False


def _alpha(minor: int) -> Stage:
    return Stage(minor, "alpha", default=False)


def _beta(minor: int) -> Stage:
    return Stage(minor, "beta", default=True)


def _beta_off(minor: int) -> Stage:
    return Stage(minor, "beta", default=False)


def _ga(minor: int) -> Stage:
    return Stage(minor, "GA", default=True)


def _locked(minor: int) -> Stage:
    return Stage(minor, "GA", default=True, locked=True)


def _deprecated_off(minor: int) -> Stage:
    return Stage(minor, "deprecated", default=False)


GATES: dict[str, tuple[Stage, ...]] = {
    "AllowOverwriteTerminationGracePeriodSeconds": (
        _ga(0),
        _deprecated_off(32),
        Stage(35, "deprecated", default=False, locked=True),
    ),
    "ContainerRestartRules": (_alpha(34), _beta(35)),
    "CustomCPUCFSQuotaPeriod": (_alpha(12), _ga(36)),
    "DRAExtendedResource": (_alpha(34), _beta(36), _ga(37)),
    "DRANodeAllocatableResources": (_alpha(36),),
    "DisableCPUQuotaWithExclusiveCPUs": (_beta(33), _locked(37)),
    "GracefulNodeShutdown": (_alpha(20), _beta(21)),
    "GracefulNodeShutdownBasedOnPodPriority": (_alpha(23), _beta(24)),
    "HugepageAwareEviction": (_beta(37),),
    "ImageMaximumGCAge": (_alpha(29), _beta(30), _locked(35)),
    "InPlacePodLevelResourcesVerticalScaling": (_alpha(35), _beta(36)),
    "InPlacePodVerticalScaling": (_alpha(27), _beta(33), _locked(35)),
    "InPlacePodVerticalScalingExclusiveCPUs": (_alpha(32),),
    "InPlacePodVerticalScalingExclusiveMemory": (_alpha(34),),
    "InPlacePodVerticalScalingInitContainers": (_beta(36), _locked(37)),
    "KubeletCrashLoopBackOffMax": (_alpha(32), _beta(35)),
    "KubeletInUserNamespace": (_alpha(22),),
    "KubeletPSI": (_alpha(33), _beta(34), _locked(36)),
    "KubeletSeparateDiskGC": (_alpha(29), _beta(31)),
    "LocalStorageCapacityIsolationFSQuotaMonitoring": (_alpha(15), _beta_off(31)),
    "MemoryQoS": (_alpha(22), _beta(37)),
    "MutablePodResourcesForSuspendedJobs": (_alpha(35), _beta(36)),
    "NodeDeclaredFeatures": (_alpha(35), _beta(36), _ga(37)),
    "NodeSwap": (_alpha(22), _beta_off(28), _beta(30), _locked(34)),
    "PodAndContainerStatsFromCRI": (_alpha(23), _beta_off(37)),
    "PodLevelResourceManagers": (_alpha(36), _beta_off(37)),
    "PodLevelResources": (_alpha(32), _beta(34)),
    "PodLevelResourcesFixDefaulting": (_beta(37),),
    "PodLevelResourcesFixKubeletQOSClass": (_beta(37),),
    "PodLifecycleSleepAction": (_alpha(29), _beta(30), _locked(34)),
    "QOSReserved": (_alpha(11),),
    "ReduceDefaultCrashLoopBackOffDecay": (_alpha(33),),
    "SidecarContainers": (_alpha(28), _beta(29), _locked(33)),
    "TaintTolerationComparisonOperators": (_alpha(35),),
    "WindowsGracefulNodeShutdown": (_alpha(32), _beta(34)),
    "WorkloadAwarePreemption": (_alpha(36),),
}

DEPENDENCIES_SINCE = 35
"""The first minor version that refuses a gate whose dependency is off."""

DEPENDENCIES: dict[str, tuple[str, ...]] = {
    "GracefulNodeShutdownBasedOnPodPriority": ("GracefulNodeShutdown",),
    "InPlacePodLevelResourcesVerticalScaling": (
        "InPlacePodVerticalScaling",
        "PodLevelResources",
        "NodeDeclaredFeatures",
    ),
    "InPlacePodVerticalScalingExclusiveCPUs": ("InPlacePodVerticalScaling",),
    "InPlacePodVerticalScalingExclusiveMemory": ("InPlacePodVerticalScaling",),
    "PodLevelResourceManagers": ("PodLevelResources",),
    "PodLevelResourcesFixDefaulting": ("PodLevelResources",),
    "PodLevelResourcesFixKubeletQOSClass": ("PodLevelResources",),
    "WindowsGracefulNodeShutdown": ("GracefulNodeShutdown",),
}

_NAMES_WITHOUT_EFFECT = """
APIResponseCompression APIServerIdentity APIServerTracing APIServingWithRoutine
AllowParsingUserUIDFromCertAuth AllowUnsafeMalformedObjectDeletion
AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AppArmor AppArmorFields
AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache CBORServingAndStorage CPUManager
CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
CRDValidationRatcheting CSIMigrationPortworx CSIServiceAccountTokenSecrets CSIVolumeHealth
ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentSLIs ComponentStatusz
ConcurrentWatchObjectDecode ConsistentListFromCache ConstrainedImpersonation ContainerCheckpoint
ContainerStopSignals ContextualLogging CoordinatedLeaderElection CronJobsScheduledAnnotation
CrossNamespaceVolumeDataSource CustomResourceFieldSelectors DRAAdminAccess DRAConsumableCapacity
DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAPartitionableDevices
DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DeclarativeValidation
DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency
DisableAllocatorDualWrite DisableCloudProviders DisableKubeletCloudCredentialProviders
DisableNodeKubeProxyVersion DynamicResourceAllocation EnvFiles EventedPLEG EvictionRequestAPI
ExecProbeTimeout ExternalServiceAccountTokenSigner GangScheduling GenericWorkload
GitRepoVolumeDriver HPAConfigurableTolerance HPAScaleToZero HonorPVReclaimPolicy HostnameOverride
ImageVolume ImageVolumeWithDigest InPlacePodVerticalScalingAllocatedStatus
InPlacePodVerticalScalingMemoryBackedVolumes InPlacePodVerticalScalingSchedulerPreemption
InTreePluginPortworxUnregister JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy
JobSuccessPolicy KMSv1 KMSv2 KMSv2KDF KubeletCgroupDriverFromCRI KubeletEnsureSecretPulledImages
KubeletFineGrainedAuthz KubeletPodResourcesDynamicResources KubeletPodResourcesGet
KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly
KubeletServiceAccountTokenForCredentialProviders KubeletTracing ListFromCacheSnapshot
LoadBalancerIPMode LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions
MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread
MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryManager
MultiCIDRServiceAllocator MutableCSINodeAllocatableCount MutablePVNodeAffinity
MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NFTablesProxyMode
NodeInclusionPolicyInPodTopologySpread NodeLogQuery NominatedNodeNameForExpectation OpenAPIEnums
OpportunisticBatching OrderedNamespaceDeletion PodCertificateRequest PodDeletionCost
PodDisruptionConditions PodHostIPs PodIndexLabel PodLifecycleSleepActionAllowZero
PodLogsQuerySplitStreams PodObservedGenerationTracking PodReadyToStartContainersCondition
PodSchedulingReadiness PodTopologyLabelsAdmission PortForwardWebsockets
PreferSameTrafficDistribution PreventStaticPodAPIReferences ProbeHostPodSecurityStandards
ProcMountType RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation
RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation
ReloadKubeletServerCertificateFile RemoteRequestHeaderUID ResilientWatchCacheInitialization
ResourceHealthStatus RestartAllContainersOnContainerExits RetryGenerateName
RotateKubeletServerCertificate RuntimeClassInImageCriAPI SELinuxChangePolicy SELinuxMount
SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerAsyncPreemption
SchedulerPopFromBackoffQ SchedulerQueueingHints SeparateCacheWatchRPC
SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction ServiceAccountTokenJTI
ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
ServiceAccountTokenPodNodeInfo ServiceTrafficDistribution SizeMemoryBackedVolumes
StatefulSetAutoDeletePVC StatefulSetSemanticRevisionComparison StatefulSetStartOrdinal
StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI StorageVersionHash
StorageVersionMigrator StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks StrictIPCIDRValidation
StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector
StructuredAuthorizationConfiguration SupplementalGroupsPolicy SystemdWatchdog
TokenRequestServiceAccountUIDValidation TopologyAwareHints TopologyManagerPolicyAlphaOptions
TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
UnknownVersionInteroperabilityProxy UserNamespacesHostNetworkSupport
UserNamespacesPodSecurityStandards UserNamespacesSupport ValidatingAdmissionPolicy
VolumeAttributesClass VolumeCapacityPriority VolumeLimitScaling WatchBookmark
WatchCacheInitializationPostStartHook WatchFromStorageWithoutResourceVersion WatchList
WatchListClient WinDSR WinOverlay WindowsCPUAndMemoryAffinity WindowsHostNetwork
WindowsHostProcessContainers ZeroLimitedNominalConcurrencyShares
"""
WITHOUT_EFFECT = frozenset(_NAMES_WITHOUT_EFFECT.split())
"""Names of gates that change no result here; accepted with either value in any version."""
