"""What users may rely on: the public names of every package, the error tree, and light imports."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from stressfield import errors

PUBLIC = {
    "stressfield": """
        CRITICAL_EVENT ERROR_REPORT MISSION_PHASE MOVEMENT_THRESHOLD PERCEPTION Actor ActorTruth Body
        BridgedSubject Build Element Ending Evidence Experiment FieldTopics Judgement Latency Link Margin Mission Node
        NodesSubject Oracle Pacing ProcessSubject ReachMission Region Rng Robot Scenario Signal
        StressfieldError Study Subject Timing Trace Truth Violation World XmlLimits actors always bodies
        boolean choice constraint count duration element eventually implies integer messages parse_toml
        parse_xml people read_file read_trace real robots sequence until worlds""",
    "stressfield.analysis": """
        SEARCH_COLUMNS Association Box CampaignComparison CaseHistory CaseSeen Change Circumstance
        ComparedSearches ComparedSignal Comparison Consistency CoverageHistory Decision Divergence
        EffectSize Endpoint EndpointKind ExitCode Finding Flip History HistoryPoint KnownIssue LastChange
        ManyTests Mechanism MetricSummary MissionFacts MonitorScore NavigationRun OutcomeClass
        ParameterCondition Parting PropertySummary RankTest Rate Rule Run SearchFigures SearchGroup
        Settlement Shuffles SideBySide SideBySideRow Sight SubcaseSummary Summary Sureness Trend Triage
        Unmeasured VerdictRow Watched WorldPair WorldRepeats WorldShare WorldSummary a12 associations
        circumstance clopper_pearson compare compare_searches compare_verdicts confidence_sequence
        consistency coverage_history crashed_run deals decide divergence effect_size explain findings
        fisher formula_coverage front gate history history_point holm hypervolume hypervolume_history
        last_change magnitude mechanisms monitors navigation_metrics navigation_run noise_aware_front
        outcome_class read_known_issues redeals same_worlds settlement signed_ranks smallest_p spearman
        stratified summarise swaps tortuousness_rad wilson worlds_of""",
    "stressfield.arrays": "Bytes Counts Flags Floats Indices Singles Times cosines directions sines turned",
    "stressfield.bridge": """
        CLOCK JOIN TICK_DONE ActionClient ActionGoal ActionServer Clock GoalResult GoalStatus
        GrpcServer Hub LifecycleState Opaque Publisher Qos Received Role Ros2Endpoint Ros2Graph
        Ros2Node Ros2Traffic Ros2Types RosbridgeClient RosbridgeServer Transition message_class""",
    "stressfield.bus": """
        FORWARDED Action Bool Bus Byte Covariance9 Covariance36 Float32 Float32Array Float64 Float64Array
        Forward Int8 Int8Array Int16 Int32 Int64 Interfaces Latency Link Matrix3x3 Matrix3x4 Message Node
        Relay Service Stamped String Strings Timing UInt8 UInt8Array UInt16 UInt32 UInt64 decode encode
        find_type message_types messages no_values type_hash""",
    "stressfield.bus.messages": """
        FLOAT32 NO_COVARIANCE_9 NO_COVARIANCE_36 XYZ AckermannDriveMsg AckermannDriveStamped BatteryState
        BoolMsg CameraInfo CompressedImage DiagnosticStatus Float32Msg Float64Msg Float64MultiArray Header
        Image Imu Int8Msg Int16Msg Int32Msg Int64Msg JointState KeyValue LaserScan MapMetaData
        MultiArrayDimension MultiArrayLayout NavSatFix NavSatStatus OccupancyGrid Odometry Path Point
        PointCloud2 PointField Pose PoseArray PoseStamped PoseWithCovariance PoseWithCovarianceStamped
        Quaternion RangeMsg RegionOfInterest StringMsg TFMessage Time Transform TransformStamped Twist
        TwistStamped TwistWithCovariance UInt8Msg UInt16Msg UInt32Msg UInt64Msg Vector3""",
    "stressfield.campaign": """
        Campaigned Display ExperimentContext Ledger NamedCampaign Plan PlannedRun Prepared Problem Progress
        PropertyRecord Rejudged Replayed ResultTable Results Scored Searched Share ShrunkFinding Silence StudyRecord
        TestRecord Verified category digest evidence_of export_scenario find_run find_study load make_executor
        merge_shards plan_campaign prepare rejudge replay replay_all resume run_campaign run_shard searched
        series_of shrink_finding study_names study_of study_reference table_of verify write_shards""",
    "stressfield.cli": "main",
    "stressfield.field": """
        FieldCase FieldStart JudgedRecordings Moment Start field_study judge_recordings read_case
        write_field_case""",
    "stressfield.fuzz": """
        LOG Blackhole Circumstances Condition Conditional Custom Delay Disturber Duplicate FieldPath
        FieldValues Freeze Frequency FuzzTest Generated Grammar Imported Jitter Kill Loss Metric
        MutationRates Noise NotANumber Nsga2 Objective Offset Operation RandomOffset RandomTests
        RandomValue Range Reorder Restart ResultSet Sampler Scale Search ShiftClock Slowdown SpaceCount SteadyNsga2
        StuckAt SweepTests Term Termination TestingSpace Throttle Variable Vocabulary Window count
        custom_operation explain null_relay parse_condition read_sesame read_space sample space_from_data
        space_from_yaml space_schema space_to_data space_to_yaml""",
    "stressfield.ladder": """
        Answer Climb Confirmation Cost Drawn FindingCall Ladder LadderGate Quality RungCall WorldCall
        confirmation_of draw_worlds""",
    "stressfield.model": """
        CHANCE OPERATORS Acceptance Blueprint Boolean Choice Constraint Element File Files Integer Leaf
        Nested Operator Parameter Real Rejections Sequence WorldGenes boolean choice constraint crossover
        distance element fitted_json flat_values from_json integer mutate parameters real sequence
        template to_ebnf to_json to_json_schema to_mermaid to_strategy to_svg with_value worlds""",
    "stressfield.mutation": """
        Alarms Asked Fate Killer MeanChange Mutant MutantGroup MutantResult Programme RobotFile Score
        mutant_study""",
    "stressfield.oracle": """
        FUZZING_TIME STATIC_METRICS TOUCH_M Active Curve Evidence Interval Judge Judgement Margin Oracle Outcome
        Profile Property PropertyClass Robustness Signal Touched Verdict Violation active_times always count
        disturbed_time_s duration eventually fuzzing_time_s holds implies intervals overall people
        take_variable touched until variable_signal""",
    "stressfield.report": """
        BREAK DASH Block Card Cards Cell Column Entry Figure Fold Heading Meter Meters Page Pairs Paragraph
        Part Points Replay Rich Section Shares Side Stack Table Tile Tiles Words brief campaign_page columns
        command counted embedded figure figures p_value page_data page_files page_html page_markdown
        page_terminal percent replay_html report_html run_series table_terminal write_page write_pictures
        write_report""",
    "stressfield.report.figures": """
        LINE_COLOURS Axes Bar Curves FrontPoint Line Trajectory View bodies coverage_figure disturbed_figures
        explanation_of extent_m front_figure ground hypervolume_figure marks_of outline padded panel picture
        polyline regions repeat_histogram robots ruler run_svg series_figure stacked_bars strip_plot svg
        symbol text ticks tracks_of world_svg x_axis""",
    "stressfield.run": """
        Crash Executed Finished JudgedRun RunRecord ScenarioRecord Status Stopwatch Task Track execute
        judge_all perform""",
    "stressfield.scenario": "Options Scenario StudyOptions generator scenario_id",
    "stressfield.search": """
        Candidate CellCoverage Cells ChosenWorld ChosenWorlds Evaluated FieldRecordings Learner ListedTests
        ListedWorlds Nsga2Strategy Objectives OfSpace OfWorlds OwnStrategy PairwiseWorlds RandomTestStrategy
        RandomWorlds Setting SpaceSearch SteadyNsga2Strategy Strategy SweepTestStrategy SweepWorlds
        Variation VaryingWorlds covering_rows front hypervolume read_variations search_of""",
    "stressfield.serve": """
        AgentLimits CampaignEntry CampaignWatch Catalogue Job Jobs Parts Served make_agent_server make_app serve""",
    "stressfield.sim": """
        MOBILITY TRUTH_COLUMNS Observation Paced Session Simulator SimulatorFactory Stamped
        kinematic_simulator mujoco_simulator""",
    "stressfield.sim.kinematic": "KinematicSession KinematicSimulator warm_up",
    "stressfield.sim.rig": """
        LIVE_SENSORS CommandLine Companions Feeler FreeDistances Instrument Live LiveSensors Mount Place Rays
        instruments""",
    "stressfield.subject": """
        MONITORS BridgedSubject FollowWaypoints Gate Monitor MoveBaseGoal NavigateGoal NavigateToPose
        NodesSubject Pacing PoseGoal PoseTopic ProcessSubject Ros2Goal Ros2Subject RosbridgeSubject
        Subject""",
    "stressfield.trace": """
        COLUMNS ActorTruth Fingerprint Keep KeepPolicy Metadata Motion RawMessage Recorder Topic Trace Truth
        read_messages read_trace write_trace""",
    "stressfield.trace.bags": """
        Bag BagTopic FieldRobot FieldTopics FieldTrace field_trace read_field_topics write_bag""",
    "stressfield.twin": """
        Alarm DriftDetector LiveVerdict Playback Residual Settled Shadow Stream StreamSource TopicHealth Twin
        TwinResult TwinWatch accompany open_source""",
    "stressfield.workers": "Executor InProcessExecutor Limits LocalExecutor RayExecutor",
    "stressfield.world": """
        ACTOR_COLUMNS AckermannDrive Actor ActorMotion ActuatorGroup Avoidance Bodies Body Bumper ColorCamera
        DepthCamera DifferentialDrive Drive GpsReceiver ImageCamera InertialUnit Lidar Lidar3D MapServer
        MarkerCamera MecanumDrive Mission ModelDrive ModelPart Mounting OccupancyMap Odometer Opening
        PartDrive PlacedActor PlacedRobot Placement PoseSensor ReachMission Region Robot Route Scattered
        SdfSensor Sensor Servo Shape SkidSteerDrive SolidBox Sonar Standstill StaticFrames Terrain
        VisualOdometer Walk WheeledDrive World check_sdf export_world fractal_terrain mission_from_json
        mission_to_json perlin_terrain quantise read_map read_terrain_png robot_from_json robot_to_json
        scatter terrain_png world_sdf write_map""",
    "stressfield.world.formats": """
        check_sdf encode_colour export_world mission_from_json mission_to_json read_map read_terrain_png
        robot_from_json robot_to_json terrain_png world_sdf write_map""",
    "stressfield_studies.oz": "study",
    "stressfield_studies.oz.oracle": "oracle",
    "stressfield_studies.oz.subject": "Issues Navigator RowTracker issues_of",
}


@pytest.mark.parametrize("package", sorted(PUBLIC))
def test_public_names_are_those_written_down_here(package: str) -> None:
    assert importlib.import_module(package).__all__ == PUBLIC[package].split()


@pytest.mark.parametrize("package", sorted(PUBLIC))
def test_public_names_can_be_imported_and_the_package_explains_itself(package: str) -> None:
    module = importlib.import_module(package)
    missing = [name for name in module.__all__ if not hasattr(module, name)]
    assert missing == []
    assert module.__doc__


def _modules_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_importing_stressfield_imports_nothing_heavy() -> None:
    loaded = _modules_after("import stressfield")
    heavy = {"numba", "numpy", "scipy", "msgspec", "mcap", "typer", "rich", "jinja2"}
    assert loaded & heavy == set()
    assert {name for name in loaded if name.startswith("stressfield.")} == {"stressfield._lazy"}


def test_recordings_can_be_judged_without_simulator_and_subject() -> None:
    loaded = _modules_after("import stressfield.trace, stressfield.oracle")
    rig = ("stressfield.sim", "stressfield.subject", "stressfield.run", "stressfield.campaign")
    assert sorted(name for name in loaded if name.startswith(rig)) == []


# the house rules --------------------------------------------------------------------------------------------

SRC = Path(errors.__file__).resolve().parents[1]
MODULES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts): path
    for package in ("stressfield", "stressfield_studies")
    for path in sorted((SRC / package).rglob("*.py"))
    if "templates" not in path.parts
}
SHARED_PRIVATE = {"stressfield.sim.rig": "stressfield.sim"}
"""Private modules that more than their own folder may import, and who may: simulators share the kernels of the rig."""


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_public_class_names_are_unique_in_the_product() -> None:
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if module.startswith("stressfield."):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_modules_are_nouns_and_folders_are_small() -> None:
    assert [module for module in MODULES if re.search(r"ing\Z", module)] == []
    folders = Counter(path.parent.relative_to(SRC).as_posix() for path in MODULES.values())
    assert [name for name, files in folders.items() if files > 20] == []


def test_no_variable_is_called_one() -> None:
    vague = []
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (isinstance(node, ast.Name) and node.id == "one") or (isinstance(node, ast.arg) and node.arg == "one"):
                vague.append(f"{module}, line {node.lineno}")
    assert vague == []


def test_private_modules_are_imported_only_inside_their_own_folder() -> None:
    reaching = []
    for module, path in MODULES.items():
        for name in _imported(path):
            owner, private, _ = name.partition("._")
            allowed = SHARED_PRIVATE.get(owner, owner)
            if private and owner.startswith("stressfield") and not f"{module}.".startswith(f"{allowed}."):
                reaching.append(f"{module} imports {name}")
    assert reaching == []


# the error tree -----------------------------------------------------------------------------------------------

CLASSES = {
    name: value
    for name, value in vars(errors).items()
    if inspect.isclass(value) and issubclass(value, Exception) and value.__module__ == errors.__name__
}


def _drawn() -> dict[str, tuple[str | None, str]]:
    """Class name to parent and line, as drawn in the docstring of ``stressfield.errors``."""
    drawn: dict[str, tuple[str | None, str]] = {}
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^( {4}[ │├└─]*)([A-Z]\w+Error)\b", line)
        if match is None:
            continue
        place, name = len(match[1]), match[2]
        above = [(column, parent) for column, parent in above if column < place]
        drawn[name] = (above[-1][1] if above else None, line)
        above.append((place, name))
    return drawn


def test_the_drawn_tree_has_every_error_class_under_its_parent() -> None:
    parents = {
        name: error.__bases__[0].__name__ if name != "StressfieldError" else None for name, error in CLASSES.items()
    }
    assert {name: parent for name, (parent, _) in _drawn().items()} == parents


def test_the_exit_codes_in_the_drawing_are_true() -> None:
    told = {name: int(code[1]) for name, (_, line) in _drawn().items() if (code := re.search(r"exit code (\d)", line))}
    assert told == {"InputError": 2, "RigError": 3}
    assert {name: CLASSES[name].exit_code for name in told} == told
    assert all(error.exit_code == 2 for error in CLASSES.values() if issubclass(error, errors.InputError))
    assert errors.SubjectError.exit_code == 1


def test_every_error_is_explained() -> None:
    assert [name for name, error in CLASSES.items() if not error.__doc__] == []


@pytest.mark.parametrize(
    ("word", "told"), [("os", " Did you mean 'oz'?"), ("hospitl", " Did you mean 'hospital'?"), ("qqq", "")]
)
def test_a_near_miss_is_suggested(word: str, told: str) -> None:
    assert errors.did_you_mean(word, ["oz", "mana", "hospital"]) == told
